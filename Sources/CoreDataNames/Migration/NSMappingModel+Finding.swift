public import Foundation
public import ManagedObjects

extension MappingModel {
  /// Finds the mapping model between two versions in the resources of bundles; nil if there is
  /// none.
  ///
  ///     NSMappingModel(from: [.main], forSourceModel: old, destinationModel: new)
  ///
  /// nil for the bundles means the main bundle.
  public init?(
    from bundles: [Bundle]?, forSourceModel source: ManagedObjectModel?,
    destinationModel destination: ManagedObjectModel?
  ) {
    let folders = (bundles ?? [.main]).map(\.resourceFolder)
    guard let source, let destination,
      let mapping = try? MappingModel(
        from: folders, forSourceModel: source, destinationModel: destination)
    else { return nil }
    self = mapping
  }

  /// Infers a mapping from one model to another.
  ///
  ///     try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
  ///
  /// - Throws: as the library's `inferred(from:to:)`.
  public static func inferredMappingModel(
    forSourceModel source: ManagedObjectModel, destinationModel destination: ManagedObjectModel
  ) throws -> MappingModel {
    try inferred(from: source, to: destination)
  }
}

extension MappingModel {
  /// Adds its policies that are missing from a dictionary, looked up by their classes' names.
  func addPolicies(to policies: inout [String: EntityMigrationPolicy.Type]) {
    for case let name? in storedEntityMappings.map(\.entityMigrationPolicyClassName)
    where policies[name] == nil {
      policies[name] = _typeByName(name) as? EntityMigrationPolicy.Type
    }
  }
}

extension Bundle {
  /// The folder of its resources.
  package var resourceFolder: URL { resourceURL ?? bundleURL }
}
