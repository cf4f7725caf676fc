public import Foundation
public import ManagedObjects
import ModelCompiler

extension ManagedObjectModel {
  /// Reads a compiled model, `.momd` or `.mom`, or Xcode's own folder; nil where there is none.
  ///
  ///     let url = Bundle.main.url(forResource: "Kennel", withExtension: "momd")!
  ///     let model = NSManagedObjectModel(contentsOf: url)!
  ///
  /// A package has the file among a target's resources. Its entities have plain managed objects;
  /// `NSPersistentContainer(name:)` finds the model that momc wrote, with its classes.
  public init?(contentsOf url: URL) {
    guard let model = try? VersionedModel(contentsOf: url).currentVersion.model else { return nil }
    self = model
    LoadedModels.shared.add(model)
  }
}
