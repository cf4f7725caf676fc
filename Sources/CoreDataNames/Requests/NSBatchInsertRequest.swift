/// A request to insert rows into the store, without creating objects.
///
///     try context.execute(NSBatchInsertRequest(entityName: "Dog", objects: [["name": "Fido"]]))
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The name of the new objects' entity.
  public let entityName: String
  /// The type of result.
  public var resultType = NSBatchInsertRequestResultType.statusOnly
  private let values: (ManagedObjectContext) -> [[String: Any]]

  private init(_ name: String, _ values: @escaping (ManagedObjectContext) -> [[String: Any]]) {
    entityName = name
    self.values = values
  }

  /// Creates a request to insert objects with values.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(entityName) { _ in dictionaries }
  }

  /// Creates a request to insert objects with values.
  public convenience init(entity: EntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(entityName: entity.storedName, objects: dictionaries)
  }

  /// Creates a request with a closure that fills one dictionary per object, and returns true to
  /// stop.
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

  /// Creates a request with a closure that fills one dictionary per object, and returns true to
  /// stop.
  public convenience init(
    entity: EntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.storedName, dictionaryHandler: handler)
  }

  /// Creates a request with a closure that fills one object after the other, and returns true to
  /// stop.
  ///
  /// Attributes are inserted; relationships are not, as in Core Data.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (ManagedObject) -> Bool
  ) {
    self.init(entityName) { context in
      let coordinator = context.storeCoordinator
      var all: [[String: Any]] = []
      while true {
        // Each object is in a context of its own, which is deallocated with it.
        let scratch = ManagedObjectContext(persistentStoreCoordinator: coordinator)
        let object = EntityDescription.insertNewObject(forEntityName: entityName, into: scratch)
        if handler(object) { return all }
        let names = object.entity.attributesByName.values.filter { !$0.isTransient }
          .flatMap(\.storedNames)
        all.append(object.dictionaryWithValues(forKeys: names).compactMapValues { $0 })
      }
    }
  }

  /// Creates a request with a closure that fills one object after the other, and returns true to
  /// stop.
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

extension AttributeDescription {
  /// Its name, or the paths of the elements that a composite is made of: `address.street`.
  fileprivate var storedNames: [String] {
    guard type == .composite else { return [name] }
    return elements.flatMap { element in element.storedNames.map { "\(name).\($0)" } }
  }
}
