import DataModel
import Foundation
import ManagedObjects
import Testing

/// What Core Data's incremental stores were observed to do on a Mac.
@Suite struct IncrementalStoreTests {
  private let people: PeopleStack
  private var store: PeopleStore { people.store }
  private var context: ManagedObjectContext { people.context }

  init() throws { people = try PeopleStack() }

  // MARK: Adding

  @Test
  func `adding it creates one instance of the registered class, which loads its metadata once`()
    throws
  {
    #expect(store.calls == ["loadMetadata"])
    #expect(people.coordinator.persistentStores.map { $0 === store } == [true])
    #expect(store.type == PeopleStore.people && store.url == nil)
  }

  @Test func `its metadata are those that it sets, and its identifier is their UUID`() throws {
    let metadata = try people.coordinator.metadata(for: store)
    #expect(metadata == store.metadata)
    #expect(metadata["NSStoreType"] == .string("People"))
    #expect(metadata["NSStoreUUID"] == .string(store.identifier))
  }

  @Test func `a type other than its own is refused`() throws {
    let other = PersistentStore.StoreType("Others")
    PersistentStoreCoordinator.registerStoreClass(MistakenStore.self, forStoreType: other)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
    let error = #expect(throws: PersistentStoreError.self) {
      try coordinator.addPersistentStore(type: other, at: nil)
    }
    guard case .typeMismatch(_, expected: other, found: "People") = error else {
      throw try #require(error)
    }
    #expect(coordinator.persistentStores.isEmpty)
  }

  /// A store that reports another type.
  final class MistakenStore: IncrementalStore, @unchecked Sendable {
    override func loadMetadata() throws {
      metadata = ["NSStoreType": .string("People"), "NSStoreUUID": .string("1")]
    }
  }

  /// A store that does not report its type.
  final class NamelessStore: IncrementalStore, @unchecked Sendable {}

  @Test func `a store without a UUID is refused`() throws {
    let nameless = PersistentStore.StoreType("Nameless")
    PersistentStoreCoordinator.registerStoreClass(NamelessStore.self, forStoreType: nameless)
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
        .addPersistentStore(type: nameless, at: nil)
    }
    guard case .invalidStore(nameless, _) = error else { throw try #require(error) }
  }

  // MARK: IDs

  @Test func `an ID made from a reference is permanent, and knows its entity and the store`() throws
  {
    let id = store.id("Person", "ana")
    #expect(!id.isTemporaryID && id.entity.name == "Person")
    #expect(people.coordinator.persistentStore(of: id) === store)
    let manager = store.id("Manager", "cy")
    #expect(!manager.isTemporaryID && manager.entity.name == "Manager")
  }

  @Test func `references are returned unchanged, and equal ones have equal IDs`() throws {
    #expect(store.referenceObject(for: store.id("Person", "ana")) == "ana")
    #expect(store.referenceObject(for: store.id("Person", 42)).description == "42")
    #expect(store.referenceObject(for: store.id("Person", 42)).number == 42)
    #expect(store.id("Person", "ana") == store.id("Person", "ana"))
    #expect(store.id("Person", "ana") != store.id("Person", "bo"))
    #expect(store.id("Person", "ana") != store.id("Team", "ana"))
  }

  @Test(
    arguments: [
      ("ana", "pana"), ("42", "p42"), ("key with/slash", "pkey%20with/slash"),
      ("50% & ü?#;\"", "p50%25%20&%20%C3%BC%3F%23%3B%22"), ("", "p"), ("a//b/", "pa//b/"),
      ("\0\n", "p%00%0A"),
    ] as [(String, String)])
  func `an ID's URI ends with its escaped reference, and leads back`(
    text: String, end: String
  ) throws {
    let id = store.id("Person", ReferenceObject(text))
    let uri = id.uriRepresentation()
    #expect(uri.scheme == "x-coredata")
    #expect(uri.absoluteString == "x-coredata://\(store.identifier)/Person/\(end)")
    #expect(people.coordinator.managedObjectID(forURIRepresentation: uri) == id)
    // In another run the reference is parsed from the URI.
    let other = try PeopleStack()
    let back = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(other.store.referenceObject(for: back).description == text)
    #expect(other.store.id("Person", ReferenceObject(text)) == back)
  }

  @Test func `numbers and bytes are parsed from URIs`() throws {
    let number = store.id("Person", 42)
    #expect(number.uriRepresentation().absoluteString.hasSuffix("/p42"))
    let data = Data([0, 0x9F, 0xFF])
    let bytes = store.id("Person", ReferenceObject(data))
    #expect(bytes.uriRepresentation().absoluteString.hasSuffix("/p%3C009fff%3E"))
    let other = try PeopleStack()
    func reference(_ id: ManagedObjectID) throws -> ReferenceObject {
      let back = other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
      return other.store.referenceObject(for: try #require(back))
    }
    #expect(try reference(number).number == 42)
    #expect(try reference(bytes).data == data)
    for text in ["<0g>", "<0>", "<+1>", "0099", "<"] {
      #expect(ReferenceObject(text).data == nil)
    }
    for text in ["+7", "07", "7 ", "-", "99999999999999999999"] {
      #expect(ReferenceObject(text).number == nil)
    }
  }

  // MARK: Fetching

  @Test func `a fetch asks the store, and every row becomes an object of its entity`() throws {
    people.fill()
    store.forgetCalls()
    let found = try people.fetch("Person")
    #expect(store.fetches.count == 1 && store.fetches[0].requestType == .fetch)
    #expect(store.fetches[0].requestType.rawValue == 1)
    #expect(found.map { $0.objectID.entity.name } == ["Manager", "Person", "Manager", "Person"])
    #expect(
      !found.contains { !$0.isFault }, "values that were not handed over are not asked for yet")
    #expect(store.questions == ["fetch Person"])
  }

  @Test func `values that were not included are requested by ID`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person")[1] as ManagedObject?)
    store.forgetCalls()
    #expect(bo.nameValue == "Bo" && bo.value(forKey: "age") as? Int16 == 40)
    #expect(store.questions == ["values Person bo"])
  }

  @Test func `included nodes need no further request`() throws {
    people.fill()
    store.answer = { [store] request in .nodes(store.all(request).compactMap(store.node)) }
    store.forgetCalls()
    #expect(try people.names("Person", "age < 45") == ["Bo", "Cy", "Di"])
    #expect(store.questions == ["fetch Person"])
  }

  @Test func `the predicate holds for the result, and reaches the store`() throws {
    people.fill()
    #expect(try people.names("Person", "age > 25 AND name != 'Bo'") == ["Ana", "Cy"])
    #expect(store.fetches.last?.predicate?.predicateFormat == "age > 25 AND name != \"Bo\"")
    #expect(try people.names("Person", "manager.name == 'Ana'") == ["Bo", "Cy"])
    #expect(try people.names("Person", "ANY reports.age < 25") == ["Cy"])
    #expect(
      try people.names("Person", "SUBQUERY(reports, $r, $r.age > 20).@count == 2") == ["Ana"])
    #expect(try people.names("Person", "reports.@sum.age == 70") == ["Ana"])
  }

  @Test func `the result follows the sort descriptors, and limits apply to that order`() throws {
    people.fill()
    var request = try people.request("Person")
    request.sortDescriptors = [.init(key: "age", ascending: true)]
    #expect(try context.fetch(request).map(\.nameValue) == ["Di", "Cy", "Bo", "Ana"])
    #expect(store.fetches.last?.sortDescriptors == request.sortDescriptors)
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try context.fetch(request).map(\.nameValue) == ["Cy", "Bo"])
    #expect(store.fetches.last?.fetchLimit == 2 && store.fetches.last?.fetchOffset == 1)
    request.sortDescriptors = [
      .init(key: "manager.name", ascending: false), .init(key: "name", ascending: true),
    ]
    (request.fetchLimit, request.fetchOffset) = (0, 0)
    #expect(try context.fetch(request).map(\.nameValue) == ["Di", "Bo", "Cy", "Ana"])
    request.sortDescriptors = [
      .init(key: "name", ascending: true) { String(describing: $1).compare(String(describing: $0)) }
    ]
    #expect(try context.fetch(request).map(\.nameValue) == ["Di", "Cy", "Bo", "Ana"])
  }

  @Test func `what a store reports as done is not done again`() throws {
    people.fill()
    var request = try people.request("Person", "age > 1000")
    request.sortDescriptors = [.init(key: "name", ascending: true)]
    request.fetchLimit = 1
    // A store that answers wrongly shows who did it.
    store.answer = { [store] in .objectIDs(store.all($0).reversed(), applied: .all) }
    #expect(try context.fetch(request).map(\.nameValue) == ["Di", "Cy", "Bo", "Ana"])
    store.answer = { [store] in
      .objectIDs(store.all($0).reversed(), applied: [.predicate, .range])
    }
    #expect(
      try context.fetch(request).map(\.nameValue) == ["Ana"], "sorted, so also counted off here")
    store.answer = { [store] in .objectIDs(store.all($0), applied: [.sortDescriptors, .range]) }
    #expect(try context.fetch(request).isEmpty)
  }

  @Test func `subentities are included unless the request excludes them`() throws {
    people.fill()
    let found = try people.fetch("Person")
    #expect(store.fetches.last?.includesSubentities == true)
    #expect(found[0].value(forKey: "level") as? Int16 == 3)
    #expect(try people.names("Manager") == ["Ana", "Cy"])
    var request = try people.request("Person")
    request.includesSubentities = false
    #expect(try context.fetch(request).map(\.nameValue) == ["Bo", "Di"])
    #expect(store.fetches.last?.includesSubentities == false)
  }

  @Test func `counts and dictionaries are computed by the library unless the store provides them`()
    throws
  {
    people.fill()
    let request = try people.request("Person", "age >= 30")
    #expect(try context.count(for: request) == 3)
    #expect(store.fetches.last?.resultType == .count)
    store.answer = { _ in .count(7) }
    #expect(try context.count(for: request) == 7)
    store.answer = nil

    var totals = try people.request("Person")
    totals.propertiesToFetch = [
      "manager.name", ExpressionDescription(name: "ages", .sum, of: .keyPath("age")),
    ]
    totals.propertiesToGroupBy = ["manager.name"]
    totals.sortDescriptors = [.init(key: "name", ascending: true)]
    #expect(
      try context.fetchDictionaries(totals) == [
        ["ages": .integer(50)], ["manager.name": .string("Ana"), "ages": .integer(70)],
        ["manager.name": .string("Cy"), "ages": .integer(20)],
      ])
    #expect(store.fetches.last?.resultType == .dictionary)
    #expect(store.fetches.last?.propertiesToFetch == totals.propertiesToFetch)
    #expect(store.fetches.last?.propertiesToGroupBy == ["manager.name"])
    store.forgetCalls()
    store.answer = { _ in .dictionaries([["made": .string("there")]]) }
    #expect(try context.fetchDictionaries(totals) == [["made": .string("there")]])
    #expect(store.questions == ["fetch Person"])
  }

  // MARK: Relationships

  @Test func `a to-one whose ID was included needs no request`() throws {
    people.fill()
    let bo = try #require(try people.fetch("Person", "name == 'Bo'").first)
    store.forgetCalls()
    let ana = try #require(bo.value(forKey: "manager") as? ManagedObject)
    #expect(store.questions.isEmpty)
    #expect(ana.objectID == store.id("Manager", "ana") && ana.nameValue == "Ana")
  }

  @Test func `a missing to-one is requested when its row is read, a to-many when it is used`()
    throws
  {
    people.fill()
    store.leftOut = ["manager"]
    let cy = try #require(try people.fetch("Manager")[1] as ManagedObject?)
    store.forgetCalls()
    #expect(cy.nameValue == "Cy")
    #expect(store.questions == ["values Manager cy", "manager of cy"])
    store.forgetCalls()
    let reports = try #require(cy.value(forKey: "reports") as? Set<ManagedObject>)
    #expect(store.questions == ["reports of cy"])
    #expect(reports.map(\.objectID) == [store.id("Person", "di")])
    store.forgetCalls()
    #expect((cy.value(forKey: "reports") as? Set<ManagedObject>)?.count == 1)
    #expect(store.questions.isEmpty)
  }

  @Test func `the members of a to-many are those that the store returns`() throws {
    people.fill()
    store.relationship = { [store] relationship, id in
      relationship.name == "reports" && id == store.id("Manager", "ana")
        ? .toMany([store.id("Person", "di"), store.id("Person", "di")]) : nil
    }
    let ana = try #require(try people.fetch("Person", "name == 'Ana'").first)
    let reports = try #require(ana.value(forKey: "reports") as? Set<ManagedObject>)
    #expect(reports.map(\.objectID) == [store.id("Person", "di")])
  }

  @Test func `members that the store does not return are found by the inverse`() throws {
    people.fill()
    store.relationship = { _, _ in nil }
    let ana = try #require(try people.fetch("Person", "name == 'Ana'").first)
    store.forgetCalls()
    let reports = try #require(ana.value(forKey: "reports") as? Set<ManagedObject>)
    #expect(Set(reports.map(\.nameValue)) == ["Bo", "Cy"])
    #expect(store.fetches.count == 1 && store.fetches[0].predicate != nil)
  }

  @Test func `prefetched members need no further request, even beside a pending insert`() throws {
    people.fill()
    ManagedObject("Person", in: context).setValue("Ed", forKey: "name")
    var request = try people.request("Person", "name == 'Ana' OR name == 'Cy'")
    request.relationshipKeyPathsForPrefetching = ["reports"]
    request.sortDescriptors = [.init(key: "name", ascending: true)]
    let found = try context.fetch(request)
    #expect(found.map(\.nameValue) == ["Ana", "Cy"])
    store.forgetCalls()
    let reports = found.map { $0.value(forKey: "reports") as? Set<ManagedObject> ?? [] }
    #expect(reports.map { Set($0.map(\.nameValue)) } == [["Bo", "Cy"], ["Di"]])
    #expect(store.questions.isEmpty)
  }
}
