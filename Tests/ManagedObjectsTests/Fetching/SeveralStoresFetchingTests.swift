import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Cursors, dictionaries, faults and orders over several stores that have the same entities.
@Suite struct SeveralStoresFetchingTests {
  /// Two stores of dogs: "at home" and "away".
  private struct Kennels {
    let folder: StoreFolder
    let context: ManagedObjectContext
    let stores: [PersistentStore]

    /// - Parameter minutes: the walks of each dog, by its store and its name.
    init(_ type: PersistentStore.StoreType, _ minutes: [[String: [Int]]]) throws {
      try self.init(minutes.map { _ in type }, minutes)
    }

    /// - Parameters:
    ///   - types: the kind of each store.
    ///   - minutes: the walks of each dog, by its store and its name.
    init(_ types: [PersistentStore.StoreType], _ minutes: [[String: [Int]]]) throws {
      folder = try StoreFolder()
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      var stores: [PersistentStore] = []
      for (place, type) in types.enumerated() {
        let url = folder.url.appending(path: "Kennel\(place).sqlite")
        stores.append(
          try coordinator.addPersistentStore(type: type, at: type.place(url)))
      }
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      for (store, dogs) in zip(stores, minutes) {
        for (name, minutes) in dogs.sorted(by: { $0.key < $1.key }) {
          let dog = Dog(context: context)
          context.assign(dog, to: store)
          (dog.name, dog.nameKey) = (name, name.lowercased())
          for minutes in minutes {
            let walk = Walk(context: context)
            context.assign(walk, to: store)
            walk.date = Date(timeIntervalSinceReferenceDate: Double(minutes))
            walk.duration = Double(minutes * 60)
            walk.dog = dog
          }
        }
      }
      try context.save()
      self.context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      self.stores = stores
    }

    static func example(_ type: PersistentStore.StoreType) throws -> Kennels {
      try example([type, type])
    }

    static func example(_ types: [PersistentStore.StoreType]) throws -> Kennels {
      try Kennels(types, [["Fido": [10, 40], "Rex": [30]], ["Bo": [20, 50], "Zoë": [35, 5]]])
    }

    /// Another context on both stores.
    func anotherContext() -> ManagedObjectContext {
      ManagedObjectContext(
        persistentStoreCoordinator: context.persistentStoreCoordinator)
    }
  }

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
  func `a limit may be as large as can be`(type: PersistentStore.StoreType) throws {
    let kennels = try Kennels.example(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    (request.fetchOffset, request.fetchLimit) = (5, .max)
    #expect(minutes(try kennels.context.fetch(request)) == [40, 50])
    #expect(minutes(try read(kennels.context.cursor(for: request))) == [40, 50])
    #expect(try kennels.context.count(for: request) == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `what is stored is counted by the stores`(type: PersistentStore.StoreType) throws {
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
    // Unsaved changes count, unless they are not wanted.
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

  /// Rows that were handed out go with their objects.
  @Test(arguments: Stack.allTypes, [0, 7])
  func `a cursor merges rows whose objects nobody holds, also where one store ends early`(
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
  func `dictionaries come from all stores, in one order`(type: PersistentStore.StoreType) throws {
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
    // Keys are alike in both stores; the dogs are not.
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

  // MARK: Faults

  /// Two stores of one kind, and a file beside a store in memory.
  private static let pairs: [[PersistentStore.StoreType]] =
    Stack.allTypes.map { [$0, $0] } + [[.sqlite, .inMemory], [.inMemory, .sqlite]]

  private var byDuration: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    return request
  }

  @Test(arguments: pairs)
  func `objects come as faults, in one order`(types: [PersistentStore.StoreType]) throws {
    let kennels = try Kennels.example(types)
    for change in [\FetchRequest<Walk>.includesPropertyValues, \.returnsObjectsAsFaults] {
      let context = kennels.anotherContext()
      var request = byDuration
      request[keyPath: change].toggle()
      (request.fetchOffset, request.fetchLimit) = (1, 5)
      let found = try context.fetch(request)
      #expect(found.map(\.isFault) == Array(repeating: true, count: 5))
      #expect(context.registeredObjects.count == 5)
      #expect(minutes(found) == [10, 20, 30, 35, 40])
      request.sortDescriptors = [.init(key: "dog.name", ascending: false), .init(key: "date")]
      #expect(minutes(try context.fetch(request)) == [35, 30, 10, 40, 20])
      // A comparator is for objects that have their values.
      request.sortDescriptors = [
        .init(key: "duration") { one, other in
          guard case .double(let one) = one, case .double(let other) = other else {
            return .orderedSame
          }
          return one < other ? .orderedDescending : one > other ? .orderedAscending : .orderedSame
        }
      ]
      #expect(minutes(try context.fetch(request)) == [40, 35, 30, 20, 10])
      request.affectedStores = []
      #expect(try context.fetch(request).isEmpty)
    }
  }

  @Test(arguments: pairs)
  func `without an order faults come store by store, by key`(
    types: [PersistentStore.StoreType]
  ) throws {
    let kennels = try Kennels.example(types)
    var request = Walk.fetchRequest()
    for limits in [(0, 0), (0, 4), (2, 3)] {
      (request.fetchOffset, request.fetchLimit) = limits
      let expected = try kennels.context.fetchIDs(request)
      let context = kennels.anotherContext()
      request.returnsObjectsAsFaults = true
      let found = try context.fetch(request)
      #expect(found.allSatisfy { $0.isFault })
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).map(\.objectID) == expected)
      #expect(found.map(\.objectID) == expected)
    }
  }

  @Test(arguments: pairs)
  func `values come by the batch, from whichever stores`(
    types: [PersistentStore.StoreType]
  ) throws {
    let kennels = try Kennels.example(types)
    let context = kennels.anotherContext()
    var request = byDuration
    request.fetchBatchSize = 3
    // 5, 10 and 20 minutes are of both stores, and so are 30, 35 and 40.
    let found = try context.fetch(request)
    #expect(found.map(\.isFault) == [false, false, false, true, true, true, true])
    #expect(found[3].duration == 1_800)
    #expect(found.map(\.isFault) == [false, false, false, false, true, false, true])
    #expect(minutes(found) == [5, 10, 20, 30, 35, 40, 50])
    #expect(found.allSatisfy { !$0.isFault })
    #expect(found.map { $0.dog?.name } == ["Zoë", "Fido", "Bo", "Rex", "Zoë", "Fido", "Bo"])
  }

  @Test(arguments: pairs)
  func `a child has faults and batches of several stores too`(
    types: [PersistentStore.StoreType]
  ) throws {
    let kennels = try Kennels.example(types)
    let parent = kennels.anotherContext()
    var request = byDuration
    request.fetchBatchSize = 2
    (request.fetchOffset, request.fetchLimit) = (1, 5)
    let child = ManagedObjectContext(parent: parent)
    let found = try child.fetch(request)
    #expect(found.map(\.isFault) == [false, false, true, true, true])
    #expect(minutes(found) == [10, 20, 30, 35, 40])
    // What the parent has not saved is among them.
    let long = try #require(try parent.fetch(byDuration).last)
    long.duration = 900
    let other = ManagedObjectContext(parent: parent)
    #expect(minutes(try other.fetch(request)) == [10, 15, 20, 30, 35])
  }

  @Test(arguments: pairs)
  func `IDs of several stores come in order, and leave no objects`(
    types: [PersistentStore.StoreType]
  ) throws {
    let kennels = try Kennels.example(types)
    let context = kennels.anotherContext()
    var request = byDuration
    (request.fetchOffset, request.fetchLimit) = (2, 4)
    let ids = try context.fetchIDs(request)
    #expect(context.registeredObjects.isEmpty)
    let found = try context.fetch(request)
    #expect(minutes(found) == [20, 30, 35, 40])
    #expect(found.map(\.objectID) == ids)
  }

  @Test(arguments: pairs)
  func `where unsaved changes don't count, objects are sorted as they are stored`(
    types: [PersistentStore.StoreType]
  ) throws {
    let kennels = try Kennels.example(types)
    let context = kennels.anotherContext()
    var request = byDuration
    let walks = try context.fetch(request)
    walks[0].duration = 6_000
    request.includesPendingChanges = false
    for isFault in [false, true] {
      request.returnsObjectsAsFaults = isFault
      #expect(minutes(try context.fetch(request)) == [100, 10, 20, 30, 35, 40, 50])
    }
    request.includesPendingChanges = true
    #expect(minutes(try context.fetch(request)) == [10, 20, 30, 35, 40, 50, 100])
    context.rollback()
    withExtendedLifetime(walks) {}
  }

  @Test(arguments: pairs)
  func `faults of several stores are of their own entities`(
    types: [PersistentStore.StoreType]
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Thing", properties: [.value("name", .string)]),
      EntityDescription(
        name: "Ball", superentityName: "Thing", properties: [.value("size", .integer64)]),
    ])
    let folder = try StoreFolder()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    for (place, type) in types.enumerated() {
      let store = try coordinator.addPersistentStore(
        type: type, at: type.place(folder.url.appending(path: "Things\(place).sqlite")))
      for (number, entity) in ["Ball", "Thing"].enumerated() {
        let object = ManagedObject(entity, in: context)
        context.assign(object, to: store)
        object.setValue("\(number)\(place)", forKey: "name")
        if entity == "Ball" { object.setValue(place, forKey: "size") }
      }
    }
    try context.save()
    let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    var request = FetchRequest<ManagedObject>(entityName: "Thing")
    request.sortDescriptors = [.init(key: "name")]
    request.returnsObjectsAsFaults = true
    let found = try other.fetch(request)
    #expect(found.map(\.isFault) == [true, true, true, true])
    #expect(found.map { $0.entity.name } == ["Ball", "Ball", "Thing", "Thing"])
    #expect(found.map { $0.value(forKey: "name") as? String } == ["00", "01", "10", "11"])
    #expect(found[1].value(forKey: "size") as? Int64 == 1)
    request.includesSubentities = false
    #expect(try other.fetch(request).map { $0.entity.name } == ["Thing", "Thing"])
  }

  /// A file alone would pick them by the index on their names.
  @Test(arguments: [false, true])
  func `some of those that a predicate bounds are picked beside a store of one's own`(
    isFirst: Bool
  ) throws {
    let folder = try StoreFolder()
    PersistentStoreCoordinator.registerStoreClass(
      PeopleStore.self, forStoreType: PeopleStore.people)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    for (number, isPeople) in [isFirst, !isFirst].enumerated() {
      let store = try coordinator.addPersistentStore(
        type: isPeople ? PeopleStore.people : .sqlite, at: isPeople ? nil : folder.store)
      for name in ["a", "b"] {
        let person = ManagedObject("Person", in: context)
        context.assign(person, to: store)
        person.setValue("\(name)\(number)", forKey: "name")
        try context.save()
      }
    }
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = try .init(format: "name > 'a'")
    request.fetchLimit = 3
    request.propertiesToFetch = ["name"]
    for isFault in [false, true] {
      let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      request.returnsObjectsAsFaults = isFault
      #expect(try other.fetch(request).map(\.nameValue) == ["a0", "b0", "a1"])
      let cursor = try other.cursor(for: request)
      #expect(try cursor.next()?.nameValue == "a0")
      cursor.close()
      #expect(
        try other.fetchDictionaries(request).map { $0["name"] }
          == ["a0", "b0", "a1"].map { .string($0) })
    }
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
  func `a batch deletes from all stores together, or counts them off`(
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
    // Names are unique within a store: only the second one has two dogs that would be the same.
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
