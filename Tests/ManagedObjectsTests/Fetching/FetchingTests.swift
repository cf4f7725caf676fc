import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Batches, faults, prefetching, and the other options of a request.
@Suite struct FetchingTests {
  /// The SELECTs that a body causes; a store in memory has none.
  private func queries(of stack: Stack, _ body: () throws -> Void) throws -> [String] {
    guard let store = stack.container.persistentStore as? SQLiteStore else {
      try body()
      return []
    }
    var heard: [String] = []
    store.connection.onStatement { heard.append($0) }
    defer { store.connection.onStatement { _ in } }
    try body()
    return heard.filter { $0.hasPrefix("SELECT") }
  }

  private func walks(_ count: Int, _ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: Array(1...count))
    return stack
  }

  private var byDuration: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    return request
  }

  // MARK: Batches

  @Test(arguments: Stack.allTypes)
  func `values are fetched in batches`(type: PersistentStore.StoreType) throws {
    let stack = try walks(25, type)
    let context = stack.anotherContext()
    var request = byDuration
    request.fetchBatchSize = 10
    var found: [Walk] = []
    let fetching = try queries(of: stack) { found = try context.fetch(request) }
    #expect(found.count == 25)
    #expect(found.map(\.isFault) == (0..<25).map { $0 >= 10 })
    let second = try queries(of: stack) { #expect(found[12].duration == 780.0) }
    #expect(found.map(\.isFault) == (0..<25).map { $0 >= 20 })
    let rest = try queries(of: stack) {
      #expect(found.map { Int($0.duration! / 60) } == Array(1...25))
    }
    #expect(found.allSatisfy { !$0.isFault })
    if type == .sqlite {
      #expect(fetching.count == 2 && second.count == 1 && rest.count == 1)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a batch omits objects that are unused or gone`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try walks(6, type)
    let context = stack.anotherContext()
    var request = byDuration
    request.fetchBatchSize = 2
    var found = try context.fetch(request)
    found.remove(at: 3)
    for walk in try stack.context.fetch(byDuration) where walk.duration == 300.0 {
      stack.context.delete(walk)
    }
    try stack.context.save()
    #expect(found[2].duration == 180.0)
    #expect(found[3].duration == nil)
    #expect(found[4].duration == 360.0)
  }

  @Test(arguments: Stack.allTypes)
  func `with unsaved changes all values are fetched at once`(type: PersistentStore.StoreType) throws
  {
    let stack = try walks(5, type)
    let new = stack.walk(minutes: 3)
    new.dog = try stack.context.fetch(Dog.fetchRequest()).first
    var request = byDuration
    request.fetchBatchSize = 2
    let found = try stack.context.fetch(request)
    #expect(found.map { Int($0.duration! / 60) } == [1, 2, 3, 3, 4, 5])
  }

  @Test(arguments: Stack.allTypes)
  func `objects may be returned as faults`(type: PersistentStore.StoreType) throws {
    let stack = try walks(3, type)
    for change in [\FetchRequest<Walk>.includesPropertyValues, \.returnsObjectsAsFaults] {
      let context = stack.anotherContext()
      var request = byDuration
      request[keyPath: change].toggle()
      let found = try context.fetch(request)
      #expect(found.allSatisfy { $0.isFault })
      #expect(found.map(\.duration) == [60, 120, 180])
    }
  }

  // MARK: Other results

  @Test(arguments: Stack.allTypes)
  func `IDs are returned in order, those of new objects too`(type: PersistentStore.StoreType) throws
  {
    let stack = try walks(3, type)
    var request = byDuration
    request.fetchOffset = 1
    let found = try stack.context.fetch(request)
    let other = stack.anotherContext()
    #expect(try other.fetchIDs(request) == found.map(\.objectID))
    #expect(other.registeredObjects.isEmpty)
    let new = stack.walk(minutes: 9)
    new.dog = try stack.context.fetch(Dog.fetchRequest()).first
    #expect(try stack.context.fetchIDs(request).last == new.objectID)
    request.includesPendingChanges = false
    #expect(try stack.context.fetchIDs(request).count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `counting reads no object`(type: PersistentStore.StoreType) throws {
    let stack = try walks(5, type)
    let context = stack.anotherContext()
    var request = byDuration
    request.predicate = .comparison("duration", .greaterThan, .double(60))
    #expect(try context.count(for: request) == 4)
    request.fetchOffset = 1
    #expect(try context.count(for: request) == 3)
    request.fetchLimit = 2
    #expect(try context.count(for: request) == 2)
    #expect(context.registeredObjects.isEmpty)
    let texts = try queries(of: stack) { _ = try context.count(for: byDuration) }
    if type == .sqlite { #expect(texts.map { $0.contains("count(*)") } == [true]) }
  }

  @Test(arguments: Stack.allTypes)
  func `stores that are not affected return nothing`(type: PersistentStore.StoreType) throws {
    let stack = try walks(2, type)
    var request = byDuration
    request.affectedStores = [stack.container.persistentStore]
    #expect(try stack.context.fetch(request).count == 2)
    request.affectedStores = [try Stack(.inMemory).container.persistentStore]
    #expect(try stack.context.fetch(request).isEmpty)
    #expect(try stack.context.fetchIDs(request).isEmpty)
    #expect(try stack.context.count(for: request) == 0)
    #expect(try stack.context.cursor(for: request).next() == nil)
  }

  // MARK: Prefetching

  @Test(arguments: Stack.allTypes)
  func `to-manys are prefetched with one query`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    for (place, name) in ["Ada", "Bo", "Cleo"].enumerated() {
      try stack.dog(name, minutes: Array(0..<place).map { 10 * place + $0 })
    }
    let context = stack.anotherContext()
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    request.relationshipKeyPathsForPrefetching = ["walks"]
    var dogs: [Dog] = []
    let texts = try queries(of: stack) { dogs = try context.fetch(request) }
    let later = try queries(of: stack) {
      #expect(dogs.map(\.minutes) == [[], [10], [20, 21]])
    }
    #expect(dogs.allSatisfy { !$0.hasFault(forRelationshipNamed: "walks") })
    if type == .sqlite { #expect(texts.count == 2 && later.isEmpty) }
  }

  @Test(arguments: Stack.allTypes)
  func `key paths are prefetched level by level`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    for name in ["Ada", "Bo"] { try stack.dog(name, minutes: [10, 20]) }
    let context = stack.anotherContext()
    var request = byDuration
    request.relationshipKeyPathsForPrefetching = ["dog", "dog.walks"]
    var walks: [Walk] = []
    let texts = try queries(of: stack) { walks = try context.fetch(request) }
    let later = try queries(of: stack) {
      #expect(walks.map { $0.dog?.name } == ["Ada", "Bo", "Ada", "Bo"])
      let list = walks[0].dog!.walks
      #expect(list.count == 2 && list[0] === walks[0] && list[1] === walks[2])
    }
    if type == .sqlite { #expect(texts.count == 3 && later.isEmpty) }
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are included in prefetched lists`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let ada = try stack.dog("Ada", minutes: [10, 20, 30])
    let bo = try stack.dog("Bo", minutes: [40])
    let ids = (ada.objectID, bo.objectID)
    let context = stack.anotherContext()
    var request = byDuration
    request.predicate = .comparison("duration", .lessThanOrEqual, .double(1_200))
    let walks = try context.fetch(request)
    let other = try #require(try context.existingObject(with: ids.1) as? Dog)
    walks[0].dog = other
    context.delete(walks[1])
    var all = Dog.fetchRequest()
    all.sortDescriptors = [.init(key: "name")]
    all.relationshipKeyPathsForPrefetching = ["walks"]
    #expect(try context.fetch(all).map(\.minutes) == [[30], [40, 10]])
  }

  @Test(arguments: Stack.allTypes)
  func `objects of subentities and unordered to-manys are prefetched`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    for name in ["Ada", "Bo"] {
      let person = Person(context: stack.context)
      person.name = name
      let cat = Cat(context: stack.context)
      (cat.name, cat.owner) = ("\(name)'s cat", person)
      let puppy = Puppy(context: stack.context)
      (puppy.name, puppy.owner) = ("\(name)'s puppy", person)
      person.favourite = puppy
    }
    try stack.context.save()
    let context = stack.anotherContext()
    var request = Person.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    request.relationshipKeyPathsForPrefetching = ["pets", "favourite"]
    let people = try context.fetch(request)
    let texts = try queries(of: stack) {
      #expect(people[0].pets.compactMap(\.name).sorted() == ["Ada's cat", "Ada's puppy"])
      #expect(people[1].favourite?.name == "Bo's puppy")
    }
    #expect(texts.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `links are prefetched in their order`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: ManyToManyTests.model)
    func object(_ entity: String, _ text: String) -> ManagedObject {
      let object = ManagedObject(
        entity: ManyToManyTests.model.entitiesByName[entity]!, insertInto: stack.context)
      object.setRequiredValue(text, at: PropertySlot(-1, "text"))
      return object
    }
    let tags = ["x", "y", "z"].map { object("Tag", $0) }
    let place = PropertySlot(-1, "tags")
    for (text, order) in [("a", [2, 0]), ("b", []), ("c", [1, 2, 0])] {
      object("Note", text).setOrderedToMany(OrderedSet(order.map { tags[$0] }), at: place)
    }
    try stack.context.save()
    let context = stack.anotherContext()
    var request = FetchRequest<ManagedObject>(entityName: "Note")
    request.sortDescriptors = [.init(key: "text")]
    request.relationshipKeyPathsForPrefetching = ["tags"]
    var notes: [ManagedObject] = []
    let texts = try queries(of: stack) { notes = try context.fetch(request) }
    let later = try queries(of: stack) {
      let found = notes.map { note in
        (note.orderedToMany(at: place) as OrderedSet<ManagedObject>)
          .map { $0.requiredValue(at: PropertySlot(-1, "text")) as String }
      }
      #expect(found == [["z", "x"], [], ["y", "z", "x"]])
    }
    if type == .sqlite { #expect(texts.count == 2 && later.isEmpty) }
  }

  // MARK: Other threads

  @Test(arguments: Stack.allTypes)
  func `an asynchronous fetch returns the result of a fetch`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try walks(50, type)
    let context = stack.anotherContext()
    var request = byDuration
    request.relationshipKeyPathsForPrefetching = ["dog"]
    let walks = try await context.fetchAsynchronously(request)
    #expect(walks.map { Int($0.duration! / 60) } == Array(1...50))
    #expect(walks.allSatisfy { !$0.isFault })
    let again = try context.fetch(request)
    #expect(walks == again)
    walks[0].duration = 3_600
    let changed = try await context.fetchAsynchronously(request)
    #expect(changed.last === walks[0])
  }
}
