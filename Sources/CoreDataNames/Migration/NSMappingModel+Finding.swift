public import Foundation
public import ManagedObjects

extension MappingModel {
  /// Finds the mapping model between two versions among the resources of bundles; nil where there
  /// is none.
  ///
  ///     NSMappingModel(from: [.main], forSourceModel: old, destinationModel: new)
  ///
  /// nil for the bundles is the main one.
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

  /// Works out how a model becomes another.
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
  /// Adds the policies that it names and that are not among some others, by their classes' names.
  func addPolicies(to policies: inout [String: EntityMigrationPolicy.Type]) {
    for case let name? in storedEntityMappings.map(\.entityMigrationPolicyClassName)
    where policies[name] == nil {
      policies[name] = _typeByName(name) as? EntityMigrationPolicy.Type
    }
  }
}

extension Bundle {
  /// Where its resources are.
  package var resourceFolder: URL { resourceURL ?? bundleURL }
}
