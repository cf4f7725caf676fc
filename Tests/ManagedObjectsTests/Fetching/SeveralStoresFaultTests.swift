import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Objects of several stores in one fetch, as faults and in batches.
@Suite struct SeveralStoresFaultTests {
  private func minutes(_ walks: [Walk]) -> [Int] { walks.map { Int(($0.duration ?? 0) / 60) } }

  /// Two stores of one type, and a file beside a store in memory.
  private static let pairs: [[PersistentStore.StoreType]] =
    Stack.allTypes.map { [$0, $0] } + [[.sqlite, .inMemory], [.inMemory, .sqlite]]

  private var byDuration: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    return request
  }

  @Test(arguments: pairs)
  func `objects are returned as faults, in one order`(types: [PersistentStore.StoreType]) throws {
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
      // A comparator needs objects with their values.
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
  func `without an order, faults are sorted by store, then by key`(
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
  func `values are fetched in batches, from whichever stores`(
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
    // The parent's unsaved objects are among them.
    let long = try #require(try parent.fetch(byDuration).last)
    long.duration = 900
    let other = ManagedObjectContext(parent: parent)
    #expect(minutes(try other.fetch(request)) == [10, 15, 20, 30, 35])
  }

  @Test(arguments: pairs)
  func `IDs of several stores are returned in order, and register no objects`(
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
  func `where unsaved changes are excluded, objects are sorted as they are stored`(
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

  /// In a file alone they would be selected by the index on their names.
  @Test(arguments: [false, true])
  func `objects of an indexed range are selected by key beside a custom store`(
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
}
