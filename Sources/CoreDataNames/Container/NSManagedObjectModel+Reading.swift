public import Foundation
public import ManagedObjects
import ModelCompiler

extension ManagedObjectModel {
  /// Reads a compiled model, `.momd` or `.mom`, or Xcode's own folder; nil if there is none.
  ///
  ///     let url = Bundle.main.url(forResource: "Kennel", withExtension: "momd")!
  ///     let model = NSManagedObjectModel(contentsOf: url)!
  ///
  /// In a package the file is one of a target's resources. The entities have the classes with their
  /// names in the caller's module.
  public init?(contentsOf url: URL, besideFile fileID: String = #fileID) {
    guard let model = try? VersionedModel(contentsOf: url).currentVersion.model else { return nil }
    self = model.loaded(besideFile: fileID)
  }

  /// Reads a compiled model; usable as a function.
  ///
  /// The classes are those of the module that has the name of the program.
  ///
  ///     urls.compactMap(NSManagedObjectModel.init)
  @_disfavoredOverload public init?(contentsOf url: URL) {
    let module = ProcessInfo.processInfo.processName.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    self.init(contentsOf: url, besideFile: String(module))
  }

  /// All models in the resources of bundles, merged into one; nil if there is none.
  ///
  ///     let model = NSManagedObjectModel.mergedModel(from: nil)   // of the main bundle
  public static func mergedModel(
    from bundles: [Bundle]?, besideFile fileID: String = #fileID
  ) -> ManagedObjectModel? {
    let models = (bundles ?? [.main]).compactMap {
      try? VersionedModel(contentsOf: $0.resourceURL ?? $0.bundleURL).currentVersion.model
    }
    guard !models.isEmpty, let merged = try? ManagedObjectModel(byMerging: models) else {
      return nil
    }
    return merged.loaded(besideFile: fileID)
  }

  /// The model version in the resources of bundles that a store was made with; nil if there is
  /// none.
  public static func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any],
    besideFile fileID: String = #fileID
  ) -> ManagedObjectModel? {
    let models = (bundles ?? [.main]).compactMap {
      try? VersionedModel(contentsOf: $0.resourceURL ?? $0.bundleURL)
    }
    return models.flatMap(\.versions).map(\.model).first {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }?.loaded(besideFile: fileID)
  }

  /// The model with the classes of a module, registered for look-ups of a class's entity.
  private func loaded(besideFile fileID: String) -> ManagedObjectModel {
    let names = entities.map(\.managedObjectClassName)
    let model = withClasses(Self.classes(named: names, besideFile: fileID))
    LoadedModels.shared.add(model)
    return model
  }
}
