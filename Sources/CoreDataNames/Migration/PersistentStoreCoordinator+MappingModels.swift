import DataModel
import Foundation
import ManagedObjects

/// Mapping models that an app has among its resources.
extension PersistentStoreCoordinator {
  /// A store's description with the mapping model by which the store is to be migrated, where one
  /// lies in some folders.
  ///
  /// Looked for only where the store is of another version and is to be migrated. Mapping models
  /// that the options have go first, an inferred one last. Policies are found by their classes'
  /// names, which begin with their module's. Follows Core Data, which looks among the main bundle's
  /// resources before it infers a mapping.
  ///
  /// - Throws: `MappingModelError` where the mapping model cannot be read, or none fits and there
  ///   is one that cannot be read.
  func withMappingModel(
    _ description: PersistentStoreDescription, in folders: [URL]
  ) throws -> PersistentStoreDescription {
    guard mayMigrate(description), MappingModel.areThere(in: folders),
      let source = sourceModel(of: description)
    else { return description }
    // A store with a configuration has a part of its model, and the model that it holds may be that
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

  /// Whether a store is to be migrated where it is of another version.
  private func mayMigrate(_ description: PersistentStoreDescription) -> Bool {
    let options = description.options
    return options.migratesAutomatically && !options.isReadOnly
      && options.stagedMigrationManager == nil && description.type != .inMemory
  }

  /// The model of a store that is of another version; nil where it is not, or its model is not
  /// known.
  private func sourceModel(of description: PersistentStoreDescription) -> ManagedObjectModel? {
    let (options, name) = (description.options, description.configuration)
    // What is wrong with the store is said when it is added.
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
