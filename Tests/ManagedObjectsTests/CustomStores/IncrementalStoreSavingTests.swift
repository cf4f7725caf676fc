import DataModel
import Foundation
import ManagedObjects
import Testing

/// Saving into an incremental store, its requests and its nodes.
@Suite struct IncrementalStoreSavingTests {
  private let people: PeopleStack
  private var store: PeopleStore { people.store }
  private var context: ManagedObjectContext { people.context }

  init() throws { people = try PeopleStack() }

  @Test func `a new object is one save request, after a request for its permanent ID`() throws {
    let person = ManagedObject("Person", in: context)
    person.setValue("Ana", forKey: "name")
    #expect(person.objectID.isTemporaryID)
    store.forgetCalls()
    try context.save()
    #expect(store.questions == ["obtain 1", "save [1, 0, 0]"])
    #expect(store.saves[0].requestType == .save && store.saves[0].requestType.rawValue == 2)
    #expect(!person.objectID.isTemporaryID && person.objectID == store.id("Person", 1))
    #expect(person.objectID.primaryKey == 1)
    let inserted = try #require(store.saves[0].insertedObjects.first)
    #expect(inserted.objectID == person.objectID && inserted.version == 0)
    #expect(inserted.values == ["name": .string("Ana"), "age": .integer(0)])

    let other = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
    let found = try #require(try other.fetch(people.request("Person")).first)
    #expect(found.objectID == person.objectID && found.nameValue == "Ana")
  }

  @Test func `updates and deletions are requests of their own`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    bo.setValue(41, forKey: "age")
    store.forgetCalls()
    try context.save()
    #expect(store.questions == ["save [0, 1, 0]"])
    let updated = try #require(store.saves[0].updatedObjects.first)
    #expect(updated.changedKeys == ["age"] && updated.version == 1)
    #expect(updated["age"] == .integer(41) && updated["name"] == .string("Bo"))
    bo.setValue(42, forKey: "age")
    try context.save()
    #expect(store.saves[1].updatedObjects.first?.version == 2)
    context.delete(bo)
    store.forgetCalls()
    try context.save()
    #expect(store.questions.last == "save [0, 0, 1]")
    #expect(try people.names("Person") == ["Ana", "Cy", "Di"])
  }

  @Test func `a 64-bit version is returned as given, and incremented`() throws {
    // Milliseconds since 1970.
    let moment: UInt64 = 1_795_600_000_000
    people.fill()
    for (reference, _) in store.rows["Person"] ?? [:] {
      store.rows["Person"]?[reference]?.version = moment
    }
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    bo.setValue(41, forKey: "age")
    try context.save()
    bo.setValue(42, forKey: "age")
    try context.save()
    let versions = store.saves.flatMap { $0.updatedObjects.map(\.version) }
    #expect(versions == [moment, moment + 1])
    context.delete(bo)
    try context.save()
    #expect(store.saves.last?.deletedObjects.map(\.version) == [moment + 2])
    // Others' changes made meanwhile are a conflict as usual.
    let cy = try #require(try people.fetch("Person", "name == 'Cy'").first)
    #expect(cy.value(forKey: "age") as? Int16 == 30)
    let id = store.referenceObject(for: cy.objectID)
    store.rows["Manager"]?[id]?.version = moment
    try context.refresh(cy, mergeChanges: false)
    #expect(cy.value(forKey: "age") as? Int16 == 30)
    // Equal in their lower 32 bits.
    store.rows["Manager"]?[id]?.version += 1 << 40
    cy.setValue(42, forKey: "age")
    #expect(throws: ConflictError.self) { try context.save() }
  }

  @Test func `an object with only its lists saved is no conflict in the next save`() throws {
    let (bo, team) = (ManagedObject("Person", in: context), ManagedObject("Team", in: context))
    bo.setValue("Bo", forKey: "name")
    try context.save()
    // The other end of a list changes with it.
    team.setValue(Set([bo]), forKey: "members")
    try context.save()
    #expect(store.saves.last?.updatedObjects.map(\.version) == [1, 1])
    bo.setValue("Bob", forKey: "name")
    team.setValuesForKeys(["name": "Cats", "members": Set<ManagedObject>()])
    try context.save()
    #expect(store.saves.last?.updatedObjects.map(\.version) == [2, 2])
    team.setValue("Dogs", forKey: "name")
    bo.setValue("Bo", forKey: "name")
    try context.save()
    #expect(store.saves.last?.updatedObjects.map(\.version) == [3, 3])
    let rival = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
    let theirs = try rival.existingObject(with: team.objectID)
    theirs.setValue(Set([try rival.existingObject(with: bo.objectID)]), forKey: "members")
    try rival.save()
    team.setValue("Cats", forKey: "name")
    #expect(throws: ConflictError.self) { try context.save() }
  }

  @Test func `an object that is checked for conflicts is passed as locked`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    let cy = try #require(try people.fetch("Person", "name == 'Cy'").first)
    context.detectConflicts(for: bo)
    cy.setValue(41, forKey: "age")
    try context.save()
    let save = try #require(store.saves.last)
    #expect(save.lockedObjects.map(\.objectID) == [bo.objectID])
    #expect(save.lockedObjects.map(\.version) == [1])
    #expect(save.updatedObjects.map(\.objectID) == [cy.objectID])
  }

  @Test func `a save without changes is an empty request`() throws {
    store.forgetCalls()
    try context.save()
    #expect(store.calls == ["save [0, 0, 0]"])
    #expect(store.saves[0].lockedObjects.isEmpty)
  }

  @Test func `an object of a subentity is saved under it, with all its values`() throws {
    let manager = ManagedObject("Manager", in: context)
    manager.setValuesForKeys(["name": "Ana", "level": 2])
    try context.save()
    #expect(manager.objectID.entity.name == "Manager")
    #expect(
      store.rows["Manager"]?[1]?.values
        == ["name": .string("Ana"), "level": .integer(2), "age": .integer(0)])
  }

  @Test func `relationships survive the save, and another context follows them`() throws {
    let (ana, bo) = (ManagedObject("Manager", in: context), ManagedObject("Person", in: context))
    ana.setValue("Ana", forKey: "name")
    bo.setValuesForKeys(["name": "Bo", "manager": ana])
    try context.save()
    let saved = try #require(store.saves[0].insertedObjects.first { $0["name"] == .string("Bo") })
    #expect(saved["manager"] == .toOne(ana.objectID))
    let other = ManagedObjectContext(persistentStoreCoordinator: people.coordinator)
    let found = try #require(try other.fetch(people.request("Person", "name == 'Bo'")).first)
    let manager = try #require(found.value(forKey: "manager") as? ManagedObject)
    #expect(manager.nameValue == "Ana" && manager.objectID == ana.objectID)
    #expect(manager.value(forKey: "reports") as? Set<ManagedObject> == [found])
  }

  @Test func `a missing row is an error of its own`() throws {
    let id = store.id("Person", "nobody")
    let error = #expect(throws: PersistentStoreError.self) { try context.existingObject(with: id) }
    guard case .objectNotFound(id) = error else { throw try #require(error) }
  }

  @Test func `requests have the sets they were made with`() throws {
    func snapshot(_ reference: ReferenceObject) throws -> ManagedObjectSnapshot {
      store.put("Person", reference, ["age": .integer(1)])
      let object = try #require(try people.fetch("Person").last)
      object.setValue("\(reference)", forKey: "name")
      try context.save()
      return try #require(store.saves.last?.updatedObjects.first)
    }
    let objects = try [1, 2, 3, 4].map { try snapshot(ReferenceObject($0)) }
    let request = SaveChangesRequest(
      inserted: [objects[0]], updated: [objects[1]], deleted: [objects[2]], locked: [objects[3]])
    #expect(request.insertedObjects == [objects[0]] && request.updatedObjects == [objects[1]])
    #expect(request.deletedObjects == [objects[2]] && request.lockedObjects == [objects[3]])
  }

  // MARK: Nodes

  @Test func `a node has the ID, the version and the values it was made with`() throws {
    let id = store.id("Person", "ana")
    var node = IncrementalStoreNode(
      objectID: id, values: ["name": .string("Ana")], version: .max)
    #expect(node.objectID == id && node.version == UInt64.max)
    let properties = id.entity.properties
    let name = try #require(properties.first { $0.name == "name" })
    let age = try #require(properties.first { $0.name == "age" })
    #expect(node.value(for: name) == .string("Ana") && node.value(for: age) == nil)
    node.update(values: ["age": .integer(50)], version: 2)
    #expect(node.version == 2)
    #expect(node.value(for: name) == nil && node.value(for: age) == .integer(50))
  }
}
