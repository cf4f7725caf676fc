import CoreDataNames

/// A migration by hand, as apps do it from version to version.
package class StoreMigrator {
  let sourceModel: NSManagedObjectModel
  let destinationModel: NSManagedObjectModel

  package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    sourceModel = source
    destinationModel = destination
  }

  package func requiresMigration(at storeURL: URL) -> Bool {
    guard
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    else { return false }
    return !destinationModel.isConfiguration(
      withName: nil, compatibleWithStoreMetadata: metadata)
  }

  /// Migrates by a mapping model of the bundle, or else by an inferred one.
  package func migrateStore(at storeURL: URL, policy: String?) throws {
    var mappingModel: NSMappingModel
    if let customMapping = NSMappingModel(
      from: nil, forSourceModel: sourceModel, destinationModel: destinationModel)
    {
      mappingModel = customMapping
    } else {
      mappingModel = try NSMappingModel.inferredMappingModel(
        forSourceModel: sourceModel, destinationModel: destinationModel)
    }
    if let policy {
      mappingModel.entityMappings?[0].mappingType = .custom
      mappingModel.entityMappings?[0].entityMigrationPolicyClassName = policy
    }

    let manager = NSMigrationManager(
      sourceModel: sourceModel, destinationModel: destinationModel)
    let destinationURL = storeURL.deletingLastPathComponent()
      .appendingPathComponent(storeURL.lastPathComponent + "~new")
    try manager.migrateStore(
      from: storeURL, sourceType: NSSQLiteStoreType, options: nil, with: mappingModel,
      toDestinationURL: destinationURL, destinationType: NSSQLiteStoreType,
      destinationOptions: nil)

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
    try coordinator.replacePersistentStore(
      at: storeURL, destinationOptions: nil, withPersistentStoreFrom: destinationURL,
      sourceOptions: nil, ofType: NSSQLiteStoreType)
  }
}

/// Carries out the mapping, and writes names in capitals.
package class CapitalNamesPolicy: NSEntityMigrationPolicy {
  package override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let description = NSEntityDescription.entity(
      forEntityName: sInstance.entity.name!, in: manager.destinationContext)!
    let dInstance = NSManagedObject(
      entity: description, insertInto: manager.destinationContext)
    guard let attributeMappings = mapping.attributeMappings else { return }
    for property in attributeMappings {
      guard let name = property.name, let expression = property.valueExpression else { continue }
      let context: NSMutableDictionary = ["source": sInstance]
      dInstance.setValue(
        expression.expressionValue(with: sInstance, context: context), forKey: name)
    }
    dInstance.setValue(
      (dInstance.value(forKey: "name") as? String)?.uppercased(), forKey: "name")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: dInstance, for: mapping)
  }
}
