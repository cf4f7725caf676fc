import DataModel
import Foundation
import ManagedObjects

/// Finding mapping models in an app's resources.
extension PersistentStoreCoordinator {
  /// A store's description with the mapping model for its migration, if some folders contain one.
  ///
  /// The folders are searched only if the store is of another version and is to be migrated. The
  /// options' mapping models take precedence, an inferred one comes last. Policies are found by
  /// their classes' names, which begin with their module's. Follows Core Data, which searches the
  /// main bundle's resources before it infers a mapping.
  ///
  /// - Throws: `MappingModelError` if the mapping model cannot be read, or none fits and there is
  ///   one that cannot be read.
  func withMappingModel(
    _ description: PersistentStoreDescription, in folders: [URL]
  ) throws -> PersistentStoreDescription {
    guard mayMigrate(description), MappingModel.exist(in: folders),
      let source = sourceModel(of: description)
    else { return description }
    // A store with a configuration contains a part of its model, and its embedded model may be that
    // part alone.
    let name = description.configuration
    let old = source.restricted(toConfiguration: name) ?? source
    let new = managedObjectModel.restricted(toConfiguration: name) ?? managedObjectModel
    guard
      let mapping = try MappingModel(from: folders, forSourceModel: old, destinationModel: new)
    else { return description }
    var description = description
    description.options.mappingModels.append(mapping)
    mapping.addPolicies(to: &description.options.entityMigrationPolicies)
    return description
  }

  /// Whether a store is to be migrated if it is of another version.
  private func mayMigrate(_ description: PersistentStoreDescription) -> Bool {
    let options = description.options
    return options.migratesAutomatically && !options.isReadOnly
      && options.stagedMigrationManager == nil && description.type != .inMemory
  }

  /// The model of a store of another version; nil if it is not, or its model is unknown.
  private func sourceModel(of description: PersistentStoreDescription) -> ManagedObjectModel? {
    let (options, name) = (description.options, description.configuration)
    // Errors of the store are thrown when it is added.
    guard let url = description.url,
      let metadata = try? Self.metadata(forPersistentStoreAt: url, type: description.type),
      !managedObjectModel.isCompatible(withStoreMetadata: metadata, configurationName: name)
    else { return nil }
    let known = options.sourceModels.first(
      compatibleWithStoreMetadata: metadata, configurationName: name)
    if known != nil || description.type != .sqlite { return known }
    return try? Self.cachedModel(at: url)
  }
}
