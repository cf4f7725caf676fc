import DataModel
import Foundation
import ManagedObjects

/// A store built with the public interface that keeps its rows in dictionaries, and records its
/// requests: people, some of them managers, and teams.
class PeopleStore: IncrementalStore, @unchecked Sendable {
  static let people = PersistentStore.StoreType("People")

  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Person",
        properties: [
          .value("name", .string),
          .attribute(.init(name: "age", type: .integer16, defaultValue: .integer(0))),
          .toOne("manager", "Person", back: "reports"),
          .toMany("reports", "Person", back: "manager"),
          .toMany("teams", "Team", back: "members"),
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Manager", superentityName: "Person", properties: [.value("level", .integer16)]),
      EntityDescription(
        name: "Team",
        properties: [
          .value("name", .string), .toMany("members", "Person", back: "teams"),
          .toMany("tasks", "Task", back: "team", isOrdered: true),
        ]),
      EntityDescription(
        name: "Task",
        properties: [
          .value("name", .string),
          .relationship(
            .init(name: "team", destinationEntityName: "Team", inverseName: "tasks")),
        ]),
    ])

  /// An object as it is stored.
  struct Row {
    var values: [String: PropertyValue]
    var version: UInt64 = 1
  }

  /// The rows by entity and reference.
  var rows: [String: [ReferenceObject: Row]] = [:]
  /// The order in which rows were made.
  private var order: [ManagedObjectID] = []
  private var nextNumber = 1
  /// The requests, in order.
  private(set) var calls: [String] = []
  private(set) var fetches: [StoreFetchRequest] = []
  private(set) var saves: [SaveChangesRequest] = []
  /// The result of a fetch; nil for all rows as IDs.
  var answer: ((StoreFetchRequest) throws -> StoreFetchResult)?
  /// The destination of a relationship; nil for that of the rows.
  var relationship: ((RelationshipDescription, ManagedObjectID) throws -> PropertyValue?)?
  /// The error of every request.
  var failure: (any Error)?
  /// The properties that nodes omit.
  var leftOut: Set<String> = []

  func forgetCalls() { (calls, fetches, saves) = ([], [], []) }

  /// Adds a row, as another process would.
  @discardableResult
  func put(
    _ entity: String, _ reference: ReferenceObject, _ values: [String: PropertyValue] = [:]
  ) -> ManagedObjectID {
    let id = id(entity, reference)
    rows[entity, default: [:]][reference] = Row(values: values)
    order.append(id)
    return id
  }

  func id(_ entity: String, _ reference: ReferenceObject) -> ManagedObjectID {
    objectID(for: managedObjectModel.entitiesByName[entity]!, referenceObject: reference)
  }

  func row(_ id: ManagedObjectID) -> Row? { rows[id.entity.name]?[referenceObject(for: id)] }

  // MARK: The store's methods

  override func loadMetadata() throws {
    calls.append("loadMetadata")
    metadata = [
      "NSStoreType": .string(type.rawValue),
      "NSStoreUUID": .string("8C6E1D2A-0000-4000-8000-000000000001"),
    ]
  }

  override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
    calls.append("fetch \(request.entity.name)")
    fetches.append(request)
    if let failure { throw failure }
    if let answer { return try answer(request) }
    return .objectIDs(all(request))
  }

  /// The IDs of all objects of a family.
  func all(_ request: StoreFetchRequest) -> [ManagedObjectID] {
    order.filter { id in
      let lineage = managedObjectModel.lineage(of: id.entity)
      return lineage.contains { $0.name == request.entity.name } && row(id) != nil
    }
  }

  func node(_ id: ManagedObjectID) -> IncrementalStoreNode? {
    guard let row = row(id) else { return nil }
    var values = row.values.filter { !leftOut.contains($0.key) && $0.value.objectIDs == nil }
    // A to-one that is nil is reported as such.
    for property in managedObjectModel.lineage(of: id.entity).flatMap(\.properties) {
      guard case .relationship(let relationship) = property, !relationship.isToMany,
        !leftOut.contains(relationship.name)
      else { continue }
      values[relationship.name] = values[relationship.name] ?? .null
    }
    return IncrementalStoreNode(objectID: id, values: values, version: row.version)
  }

  override func newValues(forObjectWith objectID: ManagedObjectID) throws -> IncrementalStoreNode? {
    calls.append("values \(objectID.entity.name) \(referenceObject(for: objectID))")
    if let failure { throw failure }
    return node(objectID)
  }

  override func newValue(
    forRelationship relationship: RelationshipDescription,
    forObjectWith objectID: ManagedObjectID
  ) throws -> PropertyValue? {
    calls.append("\(relationship.name) of \(referenceObject(for: objectID))")
    if let failure { throw failure }
    if let answer = self.relationship { return try answer(relationship, objectID) }
    if let value = row(objectID)?.values[relationship.name] { return value }
    guard relationship.isToMany, relationship.name == "reports" else { return nil }
    return .toMany(order.filter { row($0)?.values["manager"] == .toOne(objectID) })
  }

  override func obtainPermanentIDs(
    for objects: [ManagedObjectSnapshot]
  ) throws -> [ManagedObjectID] {
    calls.append("obtain \(objects.count)")
    if let failure { throw failure }
    return objects.map { object in
      nextNumber += 1
      return objectID(for: object.entity, referenceObject: ReferenceObject(nextNumber - 1))
    }
  }

  override func execute(_ request: SaveChangesRequest) throws {
    let counts = [request.insertedObjects, request.updatedObjects, request.deletedObjects]
      .map(\.count)
    calls.append("save \(counts)")
    saves.append(request)
    if let failure { throw failure }
    for object in request.updatedObjects.union(request.deletedObjects)
    where row(object.objectID)?.version != object.version {
      throw ConflictError(objectIDs: [object.objectID])
    }
    for object in request.insertedObjects.sorted(by: { "\($0.objectID)" < "\($1.objectID)" }) {
      put(object.entity.name, referenceObject(for: object.objectID), object.values)
    }
    for object in request.updatedObjects {
      let reference = referenceObject(for: object.objectID)
      let old = rows[object.entity.name]?[reference]
      // Unchanged to-manys are not reported.
      let lists = (old?.values ?? [:]).filter { $0.value.objectIDs != nil }
      rows[object.entity.name]?[reference] = Row(
        values: lists.merging(object.values) { $1 }, version: object.version + 1)
    }
    for object in request.deletedObjects {
      rows[object.entity.name]?[referenceObject(for: object.objectID)] = nil
    }
  }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [ManagedObjectID]) {
    calls.append("registered \(objectIDs.map { referenceObject(for: $0).description })")
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [ManagedObjectID]) {
    calls.append("unregistered \(objectIDs.map { referenceObject(for: $0).description })")
  }

  /// The requests, without those about registered objects.
  var questions: [String] { calls.filter { !$0.contains("registered") } }
}

/// A coordinator with a store of people, and a context on it.
struct PeopleStack {
  let coordinator: PersistentStoreCoordinator
  let store: PeopleStore
  let context: ManagedObjectContext

  init() throws {
    PersistentStoreCoordinator.registerStoreClass(
      PeopleStore.self, forStoreType: PeopleStore.people)
    coordinator = PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
    let added = try coordinator.addPersistentStore(type: PeopleStore.people, at: nil)
    // The class that was registered.
    store = added as! PeopleStore
    context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
  }

  /// Ana manages Bo and Cy, Cy manages Di; their ages are 50, 40, 30 and 20.
  func fill() {
    let ana = store.put(
      "Manager", "ana", ["name": .string("Ana"), "age": .integer(50), "level": .integer(3)])
    store.put("Person", "bo", ["name": .string("Bo"), "age": .integer(40), "manager": .toOne(ana)])
    let cy = store.put(
      "Manager", "cy", ["name": .string("Cy"), "age": .integer(30), "manager": .toOne(ana)])
    store.put("Person", "di", ["name": .string("Di"), "age": .integer(20), "manager": .toOne(cy)])
  }

  func request(_ entity: String, _ format: String? = nil) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    if let format { request.predicate = try FetchPredicate(format: format) }
    return request
  }

  func fetch(_ entity: String, _ format: String? = nil) throws -> [ManagedObject] {
    try context.fetch(request(entity, format))
  }

  func names(_ entity: String, _ format: String? = nil) throws -> [String] {
    try fetch(entity, format).map(\.nameValue)
  }
}

extension ManagedObject {
  /// The value of the attribute of that name.
  var nameValue: String { value(forKey: "name") as? String ?? "" }
}
