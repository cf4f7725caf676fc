import DataModel
import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// A program's own atomic stores, built on the public interface.
@Suite struct AtomicStoreTests {
  private let folder: StoreFolder

  init() throws {
    BundleStore.register()
    folder = try StoreFolder(named: "Walks.bundle")
  }

  private func open(
    _ model: ManagedObjectModel = .dogWalk,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> (store: BundleStore, context: ManagedObjectContext) {
    var options = PersistentStoreOptions()
    change(&options)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: BundleStore.bundle, at: folder.store, options: options)
    return (
      try #require(store as? BundleStore),
      ManagedObjectContext(persistentStoreCoordinator: coordinator)
    )
  }

  /// The lengths of all dogs' walks, by the dogs' names, as another run finds them.
  private func minutes() throws -> [String: [Int]] {
    let (_, context) = try open()
    return Dictionary(
      uniqueKeysWithValues: try context.fetch(Dog.fetchRequest()).map { ($0.name, $0.minutes) })
  }

  @Test func `a missing store is created empty`() throws {
    let (store, context) = try open()
    #expect(store.calls == ["loadMetadata", "lock", "loadMetadata", "save", "unlock", "load"])
    #expect(try context.count(for: Dog.fetchRequest()) == 0)
    #expect(try open().store.identifier == store.identifier)
    #expect(try open().store.calls == ["loadMetadata", "load"])
  }

  @Test func `a store that has to exist, or is read-only, is not created`() throws {
    for change in [
      { (options: inout PersistentStoreOptions) in options.createsFile = false },
      { options in options.isReadOnly = true },
    ] {
      let error = #expect(throws: PersistentStoreError.self) { try open(.dogWalk, change) }
      guard case .fileNotFound(folder.store) = error else { throw try #require(error) }
    }
    #expect(try folder.names().isEmpty)
  }

  @Test func `everything is read back in another run`() throws {
    let (_, context) = try open()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    for minutes in [5, 3, 9] { fido.addToWalks(Walk(minutes: minutes, in: context)) }
    var walks = fido.walks
    walks.move(fromOffset: 2, toOffset: 0)
    fido.walks = walks
    #expect(fido.objectID.isTemporaryID)
    try context.save()
    #expect(fido.objectID.primaryKey == 1 && walks[0].objectID.primaryKey == 3)

    let (_, again) = try open()
    let found = try #require(try again.fetch(Dog.fetchRequest()).first)
    #expect(found.minutes == [9, 5, 3])
    #expect(found.objectID.uriRepresentation() == fido.objectID.uriRepresentation())
    let walk = try #require(
      again.persistentStoreCoordinator.managedObjectID(
        forURIRepresentation: walks[0].objectID.uriRepresentation()))
    #expect(try again.existingObject(with: walk) === found.walks[0])
    // Predicates, sorts, limits and aggregates are the library's.
    var request = Walk.fetchRequest()
    request.predicate = try .init(format: "dog.name == 'Fido' AND duration > 200")
    request.sortDescriptors = [.init(key: "duration", ascending: true)]
    request.fetchLimit = 1
    #expect(try again.fetch(request).map(\.duration) == [300])
    let dogs = try FetchPredicate(format: "SUBQUERY(walks, $w, $w.duration > 200).@count == 2")
    var subquery = Dog.fetchRequest()
    subquery.predicate = dogs
    #expect(try again.count(for: subquery) == 1)
    var totals = Walk.fetchRequest()
    totals.propertiesToFetch = [
      "dog.name", ExpressionDescription(name: "total", .sum, of: .keyPath("duration")),
    ]
    totals.propertiesToGroupBy = ["dog.name"]
    #expect(
      try again.fetchDictionaries(totals) == [
        ["dog.name": .string("Fido"), "total": .double(1020)]
      ])
  }

  @Test func `a store is notified of changes`() throws {
    let (store, context) = try open()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    store.forgetCalls()
    let walk = Walk(minutes: 5, in: context)
    fido.addToWalks(walk)
    try context.save()
    #expect(store.calls == ["lock", "update Dog [\"walks\"]", "save", "unlock"])
    let node = try #require(store.cacheNode(for: walk.objectID))
    #expect(node.value(forKey: "dog") == .toOne(fido.objectID))
    #expect(node.value(forKey: "duration") == .double(300))
    #expect(
      store.cacheNode(for: fido.objectID)?.value(forKey: "walks") == .toMany([walk.objectID]))
    #expect(store.cacheNodes.count == 2)
    store.forgetCalls()
    walk.duration = 60
    try context.save()
    #expect(store.calls == ["lock", "update Walk [\"duration\"]", "save", "unlock"])
    #expect(node.value(forKey: "duration") == .double(60))
    store.forgetCalls()
    context.delete(walk)
    try context.save()
    #expect(store.calls == ["lock", "remove 1", "update Dog [\"walks\"]", "save", "unlock"])
    #expect(store.cacheNode(for: walk.objectID) == nil && store.cacheNodes.count == 1)
  }

  @Test func `an error of the store is thrown by the save, and nothing was saved`() throws {
    struct Refusal: Error {}
    let (store, context) = try open()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    store.failure = Refusal()
    store.forgetCalls()
    fido.addToWalks(Walk(minutes: 5, in: context))
    #expect(throws: Refusal.self) { try context.save() }
    #expect(context.hasChanges && store.cacheNodes.count == 1)
    #expect(
      store.calls == [
        "lock", "update Dog [\"walks\"]", "save", "update Dog [\"walks\"]", "unlock",
      ])
    #expect(try minutes() == ["Fido": []])
    store.failure = nil
    try context.save()
    #expect(try minutes() == ["Fido": [5]])
  }

  /// If the disk fails after the new data are in place, the objects are saved: saving them again
  /// would make them twice.
  @Test func `objects of an uncertain save are not saved again`() throws {
    let (store, context) = try open()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let error = PersistentStoreError(errno: EIO, at: URL(filePath: "/dogs"), isUncertain: true)
    #expect("\(error)" == "/dogs may have been saved or not: Input/output error")
    store.failure = error
    fido.addToWalks(Walk(minutes: 5, in: context))
    let thrown = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .uncertain = thrown else { throw try #require(thrown) }
    #expect(!context.hasChanges && fido.walks.count == 1)
    store.failure = nil
    fido.targetMinutes = 30
    try context.save()
    #expect(try minutes() == ["Fido": [5]])
  }

  @Test func `two processes that have it open lose nothing of each other's`() throws {
    let (_, here) = try open()
    let (_, there) = try open()
    let fido = try Dog.findOrCreate(named: "Fido", in: here)
    try here.save()
    let same = try Dog.findOrCreate(named: "Fido", in: there)
    #expect(!same.isInserted, "what others saved is seen")
    same.addToWalks(Walk(minutes: 7, in: there))
    try there.save()
    fido.addToWalks(Walk(minutes: 8, in: here))
    try here.save()
    #expect(try minutes() == ["Fido": [7, 8]])
    fido.name = "Rex"
    same.name = "Max"
    try here.save()
    #expect(throws: ConflictError.self) { try there.save() }
    #expect(try minutes() == ["Rex": [7, 8]])
  }

  @Test func `an application's metadata are kept`() throws {
    let (store, context) = try open()
    let coordinator = context.persistentStoreCoordinator
    try coordinator.setMetadata(.string("fido"), forKey: "currentDog", of: store)
    #expect(store.metadata["currentDog"] == .string("fido"))
    let (again, _) = try open()
    #expect(again.metadata["currentDog"] == .string("fido"))
    #expect(again.identifier == store.identifier)
  }

  @Test func `permanent IDs can be obtained before the save`() throws {
    let (store, context) = try open()
    let (one, two) = (Walk(minutes: 1, in: context), Walk(minutes: 2, in: context))
    try context.obtainPermanentIDs(for: [two, one])
    let ids = [one.objectID, two.objectID]
    #expect(ids.map(\.primaryKey) == [2, 1])
    #expect(store.cacheNodes.isEmpty)
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks([one, two])
    try context.save()
    #expect([one.objectID, two.objectID] == ids)
    #expect(Set(store.cacheNodes.map(\.objectID)) == Set(ids + [fido.objectID]))
  }

  @Test func `a read-only store is read, and not saved`() throws {
    let (_, context) = try open()
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let (_, reader) = try open(.dogWalk) { $0.isReadOnly = true }
    let fido = try #require(try reader.fetch(Dog.fetchRequest()).first)
    fido.name = "Rex"
    let error = #expect(throws: PersistentStoreError.self) { try reader.save() }
    guard case .readOnly(folder.store) = error else { throw try #require(error) }
  }

  @Test func `stores of all types become one, and it becomes every type`() throws {
    for type in Stack.allTypes where type != BundleStore.bundle && type != .postgreSQL {
      let stack = try Stack(type)
      try stack.dog("Fido", minutes: [5, 3, 9])
      let coordinator = stack.container.persistentStoreCoordinator
      let target = try StoreFolder(named: "New.bundle")
      let bundle = try coordinator.migratePersistentStore(
        stack.container.persistentStore, to: target.store, type: BundleStore.bundle)
      #expect(bundle is BundleStore && bundle.url == target.store)
      #expect(try stack.reread(Dog.self).map(\.minutes) == [[5, 3, 9]])
      let url = type == .inMemory ? nil : target.url.appending(path: "Back")
      try coordinator.migratePersistentStore(bundle, to: url, type: type)
      #expect(try stack.reread(Dog.self).map(\.minutes) == [[5, 3, 9]])
    }
  }

  // MARK: Faulty stores

  /// A store that loads the nodes that a test provides.
  final class GivenStore: AtomicStore, @unchecked Sendable {
    static let given = PersistentStore.StoreType("Given")
    @TaskLocal static var nodes: @Sendable (GivenStore) -> [AtomicStoreCacheNode] = { _ in [] }

    override func loadMetadata() throws {
      metadata = ["NSStoreUUID": .string("F1D0")]
    }
    override func load() throws { addCacheNodes(Self.nodes(self)) }

    func node(
      _ entity: String, _ reference: ReferenceObject, _ values: [String: PropertyValue]
    ) -> AtomicStoreCacheNode {
      AtomicStoreCacheNode(objectID: id(entity, reference), propertyCache: values)
    }
    func id(_ entity: String, _ reference: ReferenceObject) -> ManagedObjectID {
      objectID(for: managedObjectModel.entitiesByName[entity]!, referenceObject: reference)
    }
  }

  private func message(
    of nodes: @escaping @Sendable (GivenStore) -> [AtomicStoreCacheNode]
  ) -> String? {
    PersistentStoreCoordinator.registerStoreClass(
      GivenStore.self, forStoreType: GivenStore.given)
    return GivenStore.$nodes.withValue(nodes) {
      do {
        try PersistentStoreCoordinator(managedObjectModel: Staff.model)
          .addPersistentStore(type: GivenStore.given, at: nil)
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  @Test func `a save after the highest key is refused`() throws {
    PersistentStoreCoordinator.registerStoreClass(
      GivenStore.self, forStoreType: GivenStore.given)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
    try GivenStore.$nodes.withValue({ [$0.node("Department", ReferenceObject(Int64.max), [:])] }) {
      try coordinator.addPersistentStore(type: GivenStore.given, at: nil)
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      _ = ManagedObject("Department", in: context)
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      #expect(
        error.map { "\($0)" }
          == """
          Invalid Given store: an object has the highest number there is, so that none is left.
          """)
    }
  }

  @Test func `what does not fit the model is refused with a message`() {
    #expect(message { [$0.node("Employee", 1, ["name": .string("Ana")])] } == nil)
    #expect(
      message { [$0.node("Employee", 1, ["name": .integer(3)])] }
        == "Invalid Given store: it returned the number 3 for Employee.name, which is String.")
    #expect(
      message { [$0.node("Employee", 1, ["salary": .integer(1 << 40)])] }
        == """
        Invalid Given store: it returned the number 1099511627776 for Employee.salary, which is \
        Integer 32.
        """)
    #expect(
      message { [$0.node("Employee", 1, ["shoes": .integer(3)])] }
        == "Invalid Given store: it returned Employee.shoes, which the model does not have.")
    #expect(
      message { [$0.node("Employee", 1, ["department": .toMany([$0.id("Department", 1)])])] }
        == """
        Invalid Given store: it returned a collection of objects for Employee.department, which \
        is a to-one.
        """)
    #expect(
      message { [$0.node("Department", 1, ["employees": .toOne($0.id("Employee", 1))])] }
        == """
        Invalid Given store: it returned an object for Department.employees, which is a to-many.
        """)
    #expect(
      message { [$0.node("Employee", 1, ["department": .toOne($0.id("Employee", 1))])] }
        == """
        Invalid Given store: it returned x-coredata://F1D0/Employee/p1 for Employee.department, \
        which is not of the entity Department.
        """)
    #expect(
      message { [$0.node("Employee", 1, ["department": .toOne($0.id("Department", "R&D"))])] }
        == """
        Invalid Given store: the relationship 'department' of x-coredata://F1D0/Employee/p1 \
        refers to x-coredata://F1D0/Department/pR&D, which does not exist.
        """)
  }

  @Test func `one end of a relationship is enough`() throws {
    PersistentStoreCoordinator.registerStoreClass(
      GivenStore.self, forStoreType: GivenStore.given)
    try GivenStore.$nodes.withValue({ store in
      [
        store.node("Department", 1, ["employees": .toMany([store.id("Manager", "Ana")])]),
        store.node("Manager", "Ana", ["level": .integer(3)]),
        store.node("Employee", "Bo", ["department": .toOne(store.id("Department", 1))]),
      ]
    }) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
      try coordinator.addPersistentStore(type: GivenStore.given, at: nil)
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Employee"))
      #expect(found.map { $0.objectID.entity.name } == ["Manager", "Employee"])
      let departments = found.map { $0.value(forKey: "department") as? ManagedObject }
      let department = try #require(departments[0])
      #expect(departments[1] === department)
      #expect(department.value(forKey: "employees") as? Set<ManagedObject> == Set(found))
      #expect(found[0].objectID.primaryKey == nil, "a text is not a number")
    }
  }
}
