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

  /// All models that bundles have among their resources, as one; nil where there is none.
  ///
  ///     let model = NSManagedObjectModel.mergedModel(from: nil)   // of the main bundle
  public static func mergedModel(from bundles: [Bundle]?) -> ManagedObjectModel? {
    let models = (bundles ?? [.main]).compactMap {
      try? VersionedModel(contentsOf: $0.resourceURL ?? $0.bundleURL).currentVersion.model
    }
    return models.isEmpty ? nil : try? ManagedObjectModel(byMerging: models)
  }

  /// The version among the models of bundles that a store is of; nil where there is none.
  public static func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> ManagedObjectModel? {
    let models = (bundles ?? [.main]).compactMap {
      try? VersionedModel(contentsOf: $0.resourceURL ?? $0.bundleURL)
    }
    return models.flatMap(\.versions).map(\.model).first {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}
