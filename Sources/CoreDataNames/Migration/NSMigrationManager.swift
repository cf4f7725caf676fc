public import Foundation
public import ManagedObjects

extension MigrationManager {
  /// Migrates a store into a new file, with names of store types and dictionaries of options.
  ///
  ///     let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
  ///     try manager.migrateStore(
  ///       from: url, sourceType: NSSQLiteStoreType, options: nil, with: mappingModel,
  ///       toDestinationURL: newURL, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  ///
  /// Policies are found by their classes' names, which begin with their module's in a mapping model
  /// (`Kennel.DogPolicy`); others are registered in `entityMigrationPolicies`. The destination's
  /// options are for opening it: a new file needs none.
  ///
  /// - Throws: as the library's `migrateStore(from:type:…)`; `MigrationError.missingMappingModel`
  ///   without a mapping.
  public func migrateStore(
    from sourceURL: URL, sourceType: String, options sourceOptions: [AnyHashable: Any]? = nil,
    with mappings: MappingModel?, toDestinationURL destinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else { throw MigrationError.missingMappingModel(sourceURL) }
    try migrateStore(
      from: sourceURL, type: PersistentStore.StoreType(sourceType), options: sourceOptions,
      mapping: mappings, to: destinationURL, type: PersistentStore.StoreType(destinationType))
  }

  /// Migrates a store into a new file, with dictionaries of options.
  ///
  ///     try manager.migrateStore(
  ///       from: url, type: .sqlite, options: nil, mapping: mappingModel, to: newURL, type: .sqlite)
  ///
  /// Policies and options are as in the method with the store types' names.
  ///
  /// - Throws: as the library's `migrateStore(from:type:…)`.
  public func migrateStore(
    from sourceURL: URL, type sourceType: PersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]?, mapping: MappingModel, to destinationURL: URL,
    type destinationType: PersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    mapping.addPolicies(to: &entityMigrationPolicies)
    try migrateStore(
      from: sourceURL, type: sourceType, mapping: mapping, to: destinationURL,
      type: destinationType, options: PersistentStoreOptions(sourceOptions))
  }
}

extension PropertyMapping {
  /// The expression of the property's value.
  ///
  /// nil if the value consists of objects of the destination, or is the result of a policy's
  /// function.
  ///
  ///     for property in mapping.attributeMappings ?? [] {
  ///       property.valueExpression?.expressionValue(with: dog, context: ["source": dog])
  ///     }
  public var valueExpression: NSExpression? {
    guard case .expression(let expression)? = value else { return nil }
    return NSExpression(expression, nil)
  }
}
