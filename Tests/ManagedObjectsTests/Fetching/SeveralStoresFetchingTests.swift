import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Cursors, dictionaries, orders and batches over several stores that have the same entities.
@Suite struct SeveralStoresFetchingTests {
  private func minutes(_ walks: [Walk]) -> [Int] { walks.map { Int(($0.duration ?? 0) / 60) } }

  private func read(_ cursor: FetchCursor<Walk>) throws -> [Walk] {
    var walks: [Walk] = []
    while let walk = try cursor.next() { walks.append(walk) }
    return walks
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one is followed within its own store`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name"), .init(key: "duration")]
    let walks = try kennels.context.fetch(request)
    #expect(walks.map { $0.dog?.name } == ["Bo", "Bo", "Fido", "Fido", "Rex", "Zoë", "Zoë"])
    #expect(minutes(walks) == [20, 50, 10, 40, 30, 5, 35])
  }

  @Test(arguments: Stack.allTypes)
  func `a cursor merges the stores' rows`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    for descriptors in [
      [.init(key: "duration")], [.init(key: "dog.name", ascending: false), .init(key: "date")], [],
    ] as [[FetchSortDescriptor]] {
      request.sortDescriptors = descriptors
      let context = kennels.context
      #expect(try read(context.cursor(for: request)) == context.fetch(request))
    }
    request.sortDescriptors = [.init(key: "duration")]
    (request.fetchOffset, request.fetchLimit) = (2, 3)
    #expect(minutes(try read(kennels.context.cursor(for: request))) == [20, 30, 35])
    request.affectedStores = [kennels.stores[1]]
    #expect(minutes(try read(kennels.context.cursor(for: request))) == [35, 50])
  }

  @Test(arguments: Stack.allTypes)
  func `a limit may be as large as possible`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    (request.fetchOffset, request.fetchLimit) = (5, .max)
    #expect(minutes(try kennels.context.fetch(request)) == [40, 50])
    #expect(minutes(try read(kennels.context.cursor(for: request))) == [40, 50])
    #expect(try kennels.context.count(for: request) == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `stored objects are counted by the stores`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    let context = kennels.context
    context.retainsRegisteredObjects = true
    var request = Walk.fetchRequest()
    request.predicate = .comparison("duration", .greaterThan, .double(600))
    #expect(try context.count(for: request) == 5)
    (request.fetchOffset, request.fetchLimit) = (1, 3)
    #expect(try context.count(for: request) == 3)
    #expect(context.registeredObjects.isEmpty)
    #expect(try ManagedObjectContext(parent: context).count(for: request) == 3)
    // Unsaved changes are included unless excluded.
    (request.fetchOffset, request.fetchLimit) = (0, 0)
    context.delete(try #require(try context.fetch(request).first))
    #expect(try context.count(for: request) == 4)
    request.includesPendingChanges = false
    #expect(try context.count(for: request) == 5)
  }

  @Test(arguments: Stack.allTypes)
  func `a cursor merges more rows than it reads ahead`(type: PersistentStore.StoreType) throws {
    let numbers = Array(0..<200)
    let kennels = try Kennels(
      type, [["Fido": numbers.filter { $0 % 3 == 0 }], ["Bo": numbers.filter { $0 % 3 > 0 }]])
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    #expect(minutes(try read(kennels.context.cursor(for: request))) == numbers.reversed())
  }

  /// Rows that were returned go with their objects.
  @Test(arguments: Stack.allTypes, [0, 7])
  func `a cursor merges rows of unused objects, even where one store ends early`(
    type: PersistentStore.StoreType, offset: Int
  ) throws {
    let numbers = Array(0..<150)
    let kennels = try Kennels(
      type, [["Fido": Array(numbers.prefix(10))], ["Bo": Array(numbers.dropFirst(10))]])
    var request = Walk.fetchRequest()
    request.sortDescriptors = [
      .init(key: "dog.name", ascending: false), .init(key: "duration"), .init(key: "uuid"),
    ]
    request.fetchOffset = offset
    let cursor = try kennels.context.cursor(for: request)
    var found: [Int] = []
    while let walk = try cursor.next() { found += minutes([walk]) }
    #expect(found == Array(numbers.dropFirst(offset)))
    #expect(try cursor.next() == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `dictionaries are returned from all stores, in one order`(type: PersistentStore.StoreType)
    throws
  {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    request.propertiesToFetch = ["dog.name"]
    (request.fetchOffset, request.fetchLimit) = (1, 3)
    #expect(
      try kennels.context.fetchDictionaries(request).map { $0["dog.name"] }
        == [.string("Fido"), .string("Bo"), .string("Rex")])
    request.propertiesToFetch = ["dog", .init(name: "total", .sum, of: .keyPath("duration"))]
    request.propertiesToGroupBy = ["dog"]
    (request.fetchOffset, request.fetchLimit) = (0, 0)
    // Keys are equal in both stores; the dogs are not.
    let rows = try kennels.context.fetchDictionaries(request)
    #expect(
      rows.map { $0["total"] } == [.double(2_400), .double(3_000), .double(4_200), .double(1_800)])
    let names = rows.map { row -> String? in
      guard case .uri(let uri)? = row["dog"],
        let id = kennels.context.persistentStoreCoordinator
          .managedObjectID(forURIRepresentation: uri)
      else { return nil }
      return (kennels.context.object(with: id) as? Dog)?.name
    }
    #expect(names == ["Zoë", "Fido", "Bo", "Rex"])
    request.propertiesToGroupBy = []
    request.propertiesToFetch = [.init(name: "total", .sum, of: .keyPath("duration"))]
    #expect(try kennels.context.fetchDictionaries(request) == [["total": .double(11_400)]])
  }

  // MARK: Batches

  private func notes(_ kennels: Kennels) throws -> [String?] {
    let context = ManagedObjectContext(
      persistentStoreCoordinator: kennels.context.persistentStoreCoordinator)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    return try context.fetch(request).map(\.note)
  }

  @Test(arguments: Stack.allTypes)
  func `a batch updates the rows of all stores, or of those it names`(
    type: PersistentStore.StoreType
  ) throws {
    let kennels = try Kennels.example(type)
    let all = try kennels.context.fetch(Walk.fetchRequest())
    var request = BatchUpdateRequest(entityName: "Walk")
    request.predicate = .comparison("duration", .greaterThanOrEqual, .double(1_800))
    request.propertiesToUpdate = ["note": .string("long")]
    let changes = try kennels.context.execute(request)
    #expect(
      Set(changes.updated) == Set(all.filter { ($0.duration ?? 0) >= 1_800 }.map(\.objectID)))
    #expect(changes.updated.count == 4)
    #expect(try notes(kennels) == [nil, nil, nil, "long", "long", "long", "long"])
    request.predicate = nil
    request.propertiesToUpdate = ["note": .string("away")]
    request.affectedStores = [kennels.stores[1]]
    #expect(try kennels.context.execute(request).updated.count == 4)
    #expect(try notes(kennels) == ["away", nil, "away", "long", "away", "long", "away"])
    request.affectedStores = []
    #expect(try kennels.context.execute(request).updated.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a batch deletes from all stores together, within its limit`(
    type: PersistentStore.StoreType
  ) throws {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    (request.fetchOffset, request.fetchLimit) = (1, 3)
    let expected = try kennels.context.fetchIDs(request)
    let changes = try kennels.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(Set(changes.deleted) == Set(expected) && expected.count == 3)
    try kennels.context.mergeChanges(from: changes)
    var left = Walk.fetchRequest()
    left.sortDescriptors = request.sortDescriptors
    #expect(minutes(try kennels.context.fetch(left)) == [5, 35, 40, 50])
    // A cascade in either store.
    var dogs = Dog.fetchRequest()
    dogs.predicate = .comparison("name", .notEqual, .string("Rex"))
    let gone = try kennels.context.execute(BatchDeleteRequest(fetchRequest: dogs))
    #expect(gone.deleted.count == 7)
    try kennels.context.mergeChanges(from: gone)
    #expect(try kennels.context.fetch(Dog.fetchRequest()).map(\.name) == ["Rex"])
    #expect(try kennels.context.count(for: Walk.fetchRequest()) == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `a batch that one store refuses changes no store`(
    type: PersistentStore.StoreType
  ) throws {
    let kennels = try Kennels.example(type)
    // Names are unique within a store: only the second has two dogs that would be equal.
    var request = BatchUpdateRequest(entityName: "Dog")
    request.predicate = .comparison("name", .notEqual, .string("Rex"))
    request.propertiesToUpdate = ["nameKey": .string("same")]
    #expect(throws: (any Error).self) { try kennels.context.execute(request) }
    let context = ManagedObjectContext(
      persistentStoreCoordinator: kennels.context.persistentStoreCoordinator)
    #expect(
      Set(try context.fetch(Dog.fetchRequest()).map(\.nameKey)) == ["fido", "rex", "bo", "zoë"])
  }

  @Test(arguments: Stack.allTypes)
  func `a batch inserts into the store it names`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    var request = Dog.fetchRequest()
    request.predicate = .comparison("name", .equal, .string("Bo"))
    let bo = try #require(try kennels.context.fetch(request).first)
    let uri = bo.objectID.uriRepresentation()
    var insert = BatchInsertRequest(
      entityName: "Walk",
      objects: [["date": .date(.now), "duration": .double(60), "dog": .uri(uri)]])
    #expect(throws: BatchRequestError.notAnObject("Walk.dog")) {
      try kennels.context.execute(insert)
    }
    insert.affectedStores = [kennels.stores[1]]
    let changes = try kennels.context.execute(insert)
    try kennels.context.mergeChanges(from: changes)
    #expect(minutes(bo.walks.array) == [20, 50, 1])
  }
}
