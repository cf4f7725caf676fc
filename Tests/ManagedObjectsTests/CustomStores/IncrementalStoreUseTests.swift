import DataModel
import Foundation
import ManagedObjects
import Testing

/// What users of incremental stores report elsewhere, and what goes wrong in a store.
@Suite struct IncrementalStoreUseTests {
  private let people: PeopleStack
  private var store: PeopleStore { people.store }
  private var context: ManagedObjectContext { people.context }

  init() throws { people = try PeopleStack() }

  private struct Refusal: Error, Equatable {}

  private func reports(_ object: ManagedObject) -> Set<String> {
    Set((object.value(forKey: "reports") as? Set<ManagedObject> ?? []).map(\.nameValue))
  }

  // MARK: Reports

  @Test func `a to-many is requested again after its owner was inserted and saved`() throws {
    let ana = ManagedObject("Manager", in: context)
    ana.setValue("Ana", forKey: "name")
    #expect(reports(ana).isEmpty)
    try context.save()
    store.put("Person", "bo", ["name": .string("Bo"), "manager": .toOne(ana.objectID)])
    #expect(reports(ana) == ["Bo"])
  }

  @Test func `members added before the first save are present after it`() throws {
    let (ana, bo) = (ManagedObject("Manager", in: context), ManagedObject("Person", in: context))
    ana.setValue("Ana", forKey: "name")
    bo.setValue("Bo", forKey: "name")
    ana.setValue([bo], forKey: "reports")
    try context.save()
    #expect(reports(ana) == ["Bo"])
    let cy = ManagedObject("Person", in: context)
    cy.setValuesForKeys(["name": "Cy", "manager": ana])
    #expect(reports(ana) == ["Bo", "Cy"])
    try context.save()
    #expect(reports(ana) == ["Bo", "Cy"])
  }

  @Test func `a required to-one that is a fault is not lost`() throws {
    let team = store.put("Team", "red", ["name": .string("Red")])
    store.put("Task", "paint", ["name": .string("Paint"), "team": .toOne(team)])
    let task = try #require(try people.fetch("Task").first)
    task.setValue("Paint it", forKey: "name")
    let end = try #require(task.value(forKey: "team") as? ManagedObject)
    #expect(end.isFault)
    try context.save()
    #expect(end.isFault, "nobody asked for its values")
    #expect(store.rows["Task"]?["paint"]?.values["team"] == .toOne(team))
    #expect(store.rows["Task"]?["paint"]?.values["name"] == .string("Paint it"))
  }

  @Test func `what does not fit a relationship is a clear error`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    let ana = try #require(try people.fetch("Manager", "name == 'Ana'").first)
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch {
        return "\(error)"
      }
    }
    store.leftOut = ["manager"]
    store.relationship = { [store] _, _ in .toMany([store.id("Manager", "ana")]) }
    #expect(
      message { try context.refresh(bo, mergeChanges: true) }
        == """
        Invalid People store: it returned a collection of objects for Person.manager, which is a \
        to-one.
        """)
    store.leftOut = []
    store.relationship = { [store] _, _ in .toOne(store.id("Person", "bo")) }
    #expect(reports(ana).isEmpty)
    #expect(
      context.faultingError.map { "\($0)" }
        == "Invalid People store: it returned an object for Manager.reports, which is a to-many.")
    context.reset()
    store.relationship = { [store] _, _ in .toMany([store.id("Team", "red")]) }
    #expect(
      message { _ = try people.names("Person", "ANY reports.age > 3") }
        == """
        Invalid People store: it returned \
        x-coredata://8C6E1D2A-0000-4000-8000-000000000001/Team/pred for Manager.reports, which is not of the entity Person.
        """)
  }

  @Test func `migration keeps relationships, orders and metadata`() throws {
    people.fill()
    let red = store.put("Team", "red", ["name": .string("Red")])
    let blue = store.put("Team", "blue", ["name": .string("Blue")])
    let ids = ["c", "a", "b"].map { name in
      store.put("Task", ReferenceObject(name), ["name": .string(name), "team": .toOne(red)])
    }
    store.rows["Team"]?["red"]?.values["tasks"] = .toMany(ids)
    let (ana, bo) = (store.id("Manager", "ana"), store.id("Person", "bo"))
    store.rows["Team"]?["red"]?.values["members"] = .toMany([ana, bo])
    store.rows["Team"]?["blue"]?.values["members"] = .toMany([bo])
    store.rows["Manager"]?["ana"]?.values["teams"] = .toMany([red])
    store.rows["Person"]?["bo"]?.values["teams"] = .toMany([red, blue])
    try people.coordinator.setMetadata(.string("x"), forKey: "mine", of: store)

    let folder = try StoreFolder(named: "People.sqlite")
    let stores: [(PersistentStore.StoreType, URL?)] = [
      (.sqlite, folder.store), (.inMemory, nil), (.xml, folder.url.appending(path: "People.xml")),
      (PeopleStore.people, folder.url.appending(path: "Elsewhere")), (.inMemory, nil),
    ]
    var current: PersistentStore = store
    for (type, url) in stores {
      current = try people.coordinator.migratePersistentStore(current, to: url, type: type)
      #expect(current.type == type)
      #expect(try people.coordinator.metadata(for: current)["mine"] == .string("x"))
      let context = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
      let found = try context.fetch(people.request("Person"))
      #expect(Set(found.map(\.nameValue)) == ["Ana", "Bo", "Cy", "Di"])
      let cy = try #require(found.first { $0.nameValue == "Cy" })
      #expect((cy.value(forKey: "manager") as? ManagedObject)?.nameValue == "Ana")
      #expect(reports(cy) == ["Di"])
      let teams = try context.fetch(people.request("Team"))
      let team = try #require(teams.first { $0.nameValue == "Red" })
      let tasks = team.value(forKey: "tasks") as? OrderedSet<ManagedObject>
      #expect(tasks?.map(\.nameValue) == ["c", "a", "b"], "\(type)")
      let members = teams.map { team in
        Set((team.value(forKey: "members") as? Set<ManagedObject> ?? []).map(\.nameValue))
      }
      #expect(Set(members) == [["Ana", "Bo"], ["Bo"]], "\(type)")
    }
  }

  // MARK: Lists

  @Test func `ordered lists and links reach the store completely`() throws {
    let red = ManagedObject("Team", in: context)
    red.setValue("Red", forKey: "name")
    let tasks = ["a", "b", "c"].map { name in
      let task = ManagedObject("Task", in: context)
      task.setValue(name, forKey: "name")
      return task
    }
    red.setValue(Array(tasks[..<2]), forKey: "tasks")
    let ana = ManagedObject("Person", in: context)
    ana.setValue("Ana", forKey: "name")
    red.setValue([ana], forKey: "members")
    context.delete(tasks[2])
    try context.save()
    let ids = tasks.map(\.objectID)
    let saved = try #require(store.row(red.objectID))
    #expect(saved.values["tasks"] == .toMany([ids[0], ids[1]]))
    #expect(saved.values["members"] == .toMany([ana.objectID]))
    #expect(store.row(ana.objectID)?.values["teams"] == .toMany([red.objectID]))

    let task = ManagedObject("Task", in: context)
    task.setValuesForKeys(["name": "d", "team": red])
    let bo = ManagedObject("Person", in: context)
    bo.setValuesForKeys(["name": "Bo", "teams": [red]])
    try context.save()
    #expect(
      store.row(red.objectID)?.values["tasks"] == .toMany([ids[0], ids[1], task.objectID]))
    #expect(
      store.row(red.objectID)?.values["members"]?.objectIDs.map(Set.init)
        == [ana.objectID, bo.objectID])
    #expect(store.row(bo.objectID)?.values["teams"] == .toMany([red.objectID]))

    red.setValue([task, tasks[1], tasks[0]], forKey: "tasks")
    red.setValue([bo], forKey: "members")
    try context.save()
    #expect(
      store.row(red.objectID)?.values["tasks"] == .toMany([task.objectID, ids[1], ids[0]]))
    #expect(store.row(red.objectID)?.values["members"] == .toMany([bo.objectID]))
    #expect(store.row(ana.objectID)?.values["teams"] == .toMany([]))
  }

  // MARK: Errors

  @Test func `an error of the store is thrown unchanged`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    let di = try #require(try people.fetch("Person").last)
    store.failure = Refusal()
    #expect(throws: Refusal.self) { try people.fetch("Person") }
    #expect(throws: Refusal.self) { try context.count(for: people.request("Person")) }
    bo.setValue(41, forKey: "age")
    #expect(throws: Refusal.self) { try context.save() }
    #expect(bo.hasChanges)
    // Code that only fires a fault cannot throw.
    try context.refresh(di, mergeChanges: false)
    #expect(di.isFault && di.nameValue.isEmpty)
    #expect(context.faultingError as? Refusal == Refusal())
    store.failure = nil
    context.rollback()
    #expect(di.nameValue == "Di")
  }

  @Test func `an error on the key path of a predicate is thrown`() throws {
    people.fill()
    store.answer = { [store] in .nodes(store.all($0).compactMap(store.node)) }
    store.relationship = { _, _ in throw Refusal() }
    #expect(throws: Refusal.self) { try people.names("Person", "ANY reports.age > 3") }
    #expect(throws: Refusal.self) {
      try context.count(for: people.request("Person", "reports.@count == 1"))
    }
  }

  @Test func `wrong answers are reported`() throws {
    func error(_ answer: StoreFetchResult) throws -> String {
      store.answer = { _ in answer }
      let error = #expect(throws: PersistentStoreError.self) { try people.fetch("Manager") }
      return "\(try #require(error))"
    }
    #expect(
      try error(.count(3)) == "Invalid People store: asked for objects, it returned a count.")
    #expect(
      try error(.objectIDs([store.id("Person", "bo")]))
        == """
        Invalid People store: asked for Manager, it returned \
        x-coredata://8C6E1D2A-0000-4000-8000-000000000001/Person/pbo.
        """)
    let other = try PeopleStack()
    #expect(
      try error(.objectIDs([other.store.id("Manager", "x")])).contains("is not an object of it"))
    let node = IncrementalStoreNode(
      objectID: store.id("Manager", "x"), values: ["level": .string("high")])
    #expect(
      try error(.nodes([node]))
        == "Invalid People store: it returned a string for Manager.level, which is Integer 16.")
  }

  @Test func `a read-only store refuses to be written`() throws {
    let names = PersistentStore.StoreType("Names")
    PersistentStoreCoordinator.registerStoreClass(NameStore.self, forStoreType: names)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
    try coordinator.addPersistentStore(type: names, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Team"))
    #expect(found.map(\.nameValue) == ["Red", "Blue"])
    try context.save()
    found[0].setValue("Green", forKey: "name")
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    #expect(error?.description == "Names stores cannot be written.")
  }

  @Test func `a store that is only queried does not report others' changes`() throws {
    let error = #expect(throws: PersistentStoreError.self) {
      try context.persistentStoreCoordinator.remoteChanges(of: store)
    }
    #expect(error?.description == "People stores cannot report changes by others.")
  }

  /// The least that a store can be.
  final class NameStore: IncrementalStore, @unchecked Sendable {
    override func loadMetadata() throws { metadata = ["NSStoreUUID": .string("1")] }
    override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
      .nodes(
        ["Red", "Blue"].map {
          IncrementalStoreNode(
            objectID: objectID(for: request.entity, referenceObject: .init($0)),
            values: ["name": .string($0)])
        })
    }
  }

  // MARK: Conflicts, contexts

  @Test func `a conflict that the store reports is resolved by the merge policy`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    bo.setValue(41, forKey: "age")
    store.rows["Person"]?["bo"]?.version = 7
    store.rows["Person"]?["bo"]?.values["name"] = .string("Bob")
    #expect(throws: ConflictError.self) { try context.save() }
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    #expect(store.rows["Person"]?["bo"]?.values["age"] == .integer(41))
    #expect(store.rows["Person"]?["bo"]?.values["name"] == .string("Bob"))
    #expect(bo.nameValue == "Bob")
  }

  @Test func `permanent IDs can be obtained before the save, once`() throws {
    let person = ManagedObject("Person", in: context)
    person.setValue("Ana", forKey: "name")
    try context.obtainPermanentIDs(for: [person])
    let id = person.objectID
    #expect(!id.isTemporaryID && store.questions.last == "obtain 1")
    store.forgetCalls()
    try context.save()
    #expect(store.questions == ["save [1, 0, 0]"] && person.objectID == id)
  }

  @Test func `the store is notified which objects contexts have`() throws {
    people.fill()
    do {
      let context = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
      let found = try context.fetch(people.request("Manager"))
      #expect(found.count == 2)
      store.forgetCalls()
      _ = try context.count(for: people.request("Team"))
      #expect(store.calls.first == "registered [\"ana\", \"cy\"]")
      store.forgetCalls()
      _ = try context.fetch(people.request("Manager"))
      #expect(store.calls == ["fetch Manager"], "they are known")
      withExtendedLifetime(found) {}
    }
    store.forgetCalls()
    _ = try context.count(for: people.request("Team"))
    #expect(store.calls.first == "unregistered [\"ana\", \"cy\"]")
  }

  @Test func `children, cursors and batches work as with any store`() throws {
    people.fill()
    let child = ManagedObjectContext(parent: context)
    let bo = try #require(try child.fetch(people.request("Person", "name == 'Bo'")).first)
    bo.setValue(44, forKey: "age")
    try child.save()
    try context.save()
    #expect(store.rows["Person"]?["bo"]?.values["age"] == .integer(44))
    var request = try people.request("Person", "age < 100")
    request.fetchBatchSize = 2
    #expect(try context.fetch(request).map(\.nameValue) == ["Ana", "Bo", "Cy", "Di"])
    let other = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
    let cursor = try other.cursor(for: request)
    var names: [String] = []
    while let person = try cursor.next() { names.append(person.nameValue) }
    #expect(names == ["Ana", "Bo", "Cy", "Di"])
  }
}
