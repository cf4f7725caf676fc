public import Foundation
public import ManagedObjects

/// What a batch insertion gives.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it was done.
  case statusOnly
  /// The IDs of the new objects.
  case objectIDs
  /// How many objects are new.
  case count
}

/// New rows in the store, without objects.
///
///     try context.execute(NSBatchInsertRequest(entityName: "Dog", objects: [["name": "Fido"]]))
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The entity of the new objects, by its name.
  public let entityName: String
  /// What is given.
  public var resultType = NSBatchInsertRequestResultType.statusOnly
  private let values: (ManagedObjectContext) -> [[String: Any]]

  private init(_ name: String, _ values: @escaping (ManagedObjectContext) -> [[String: Any]]) {
    entityName = name
    self.values = values
  }

  /// Creates an insertion of objects with values.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(entityName) { _ in dictionaries }
  }

  /// Creates an insertion of objects with values.
  public convenience init(entity: EntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(entityName: entity.storedName, objects: dictionaries)
  }

  /// Creates an insertion of objects that a closure gives one by one; it ends it with true.
  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName) { _ in
      var all: [[String: Any]] = []
      while true {
        let dictionary = NSMutableDictionary()
        if handler(dictionary) { return all }
        all.append(dictionary as? [String: Any] ?? [:])
      }
    }
  }

  /// Creates an insertion of objects that a closure gives one by one; it ends it with true.
  public convenience init(
    entity: EntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.storedName, dictionaryHandler: handler)
  }

  /// Creates an insertion of objects that a closure fills one by one; it ends it with true.
  ///
  /// Their attributes are inserted; relationships are not, as in Core Data.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (ManagedObject) -> Bool
  ) {
    self.init(entityName) { context in
      let coordinator = context.storeCoordinator
      var all: [[String: Any]] = []
      while true {
        // Each in a context of its own, which ends with it.
        let scratch = ManagedObjectContext(persistentStoreCoordinator: coordinator)
        let object = EntityDescription.insertNewObject(forEntityName: entityName, into: scratch)
        if handler(object) { return all }
        let names = object.entity.attributesByName.keys.filter {
          object.entity.attributesByName[$0]?.isTransient == false
        }
        all.append(object.dictionaryWithValues(forKeys: Array(names)).compactMapValues { $0 })
      }
    }
  }

  /// Creates an insertion of objects that a closure fills one by one; it ends it with true.
  public convenience init(
    entity: EntityDescription, managedObjectHandler handler: @escaping (ManagedObject) -> Bool
  ) {
    self.init(entityName: entity.storedName, managedObjectHandler: handler)
  }

  func request(in context: ManagedObjectContext) -> BatchInsertRequest {
    let model = context.storeCoordinator.managedObjectModel
    let rows = values(context).map { row in
      row.reduce(into: [String: AttributeValue]()) { values, entry in
        values[entry.key] = model.attributeValue(entry.value, of: entry.key, entityName)
      }
    }
    return BatchInsertRequest(entityName: entityName, objects: rows)
  }
}

/// What a batch insertion gave.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// A `Bool`, `[NSManagedObjectID]` or `Int`, as the request wanted.
  public let result: Any?
  /// What was wanted.
  public let resultType: NSBatchInsertRequestResultType

  init(_ inserted: [ManagedObjectID], _ type: NSBatchInsertRequestResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnly: true
      case .objectIDs: inserted
      case .count: inserted.count
      }
  }
}
