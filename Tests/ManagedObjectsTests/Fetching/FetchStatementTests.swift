import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Which statements fetches send to SQLite, how it runs them, and how often.
@Suite struct FetchStatementTests {
  /// Fido and Rex with so many walks each.
  private func stack(walks: Int = 3) throws -> Stack {
    let stack = try Stack()
    for name in ["Fido", "Rex"] { try stack.dog(name, minutes: Array(1...walks)) }
    return stack
  }

  @Test func `the newest walks are found by the index on the date, without sorting`() throws {
    let stack = try stack()
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    request.fetchLimit = 20
    let plans = try stack.plans { _ = try stack.anotherContext().fetch(request) }
    #expect(plans.map(\.steps) == [["SCAN t0 USING INDEX Z_Walk_byDate"]])
  }

  @Test func `a dog's week is found by the index on dog and date, without sorting`() throws {
    let stack = try stack()
    let dogs = try stack.context.fetch(Dog.fetchRequest())
    var request = Walk.fetchRequest()
    request.predicate = .all([
      .relationship("dog", isIn: [dogs[0].objectID]),
      .comparison("date", .greaterThanOrEqual, .date(.distantPast)),
      .comparison("date", .lessThan, .date(.distantFuture)),
    ])
    request.sortDescriptors = [.init(key: "date")]
    let plans = try stack.plans { _ = try stack.anotherContext().fetch(request) }
    #expect(
      plans.map(\.steps) == [
        ["SEARCH t0 USING INDEX Z_Walk_byDogAndDate (ZDOG=? AND ZDATE>? AND ZDATE<?)"]
      ])
  }

  @Test func `members are found by foreign key and order key, without sorting`() throws {
    let stack = try stack()
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    let one = try stack.plans { _ = dogs[0].walks.count }
    #expect(one.map(\.steps) == [["SEARCH t0 USING INDEX ZWALK_ZDOG_Z_FOK_DOG_INDEX (ZDOG=?)"]])
  }

  @Test func `prefetched members are not looked up one by one`() throws {
    let stack = try stack()
    var request = Dog.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["walks"]
    let all = try stack.plans { _ = try stack.anotherContext().fetch(request) }
    #expect(all.count == 2)
    #expect(all[1].steps == ["SCAN t0"], "\(all)")
    request.predicate = .isIn("name", [.string("Fido"), .string("Rex")])
    let some = try stack.plans { _ = try stack.anotherContext().fetch(request) }
    #expect(some.count == 2)
    #expect(some[1].steps.first == "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)", "\(some)")
    #expect(some[1].steps.contains { $0.contains("COVERING INDEX") && $0.contains("ZDOG=?") })
    #expect(!some[1].steps.contains { $0.contains("TEMP B-TREE") }, "\(some)")
  }

  @Test func `the last order key is looked up in an index`() throws {
    let stack = try stack()
    let dogs = try stack.context.fetch(Dog.fetchRequest())
    let plans = try stack.plans {
      dogs[0].addToWalks(stack.walk(minutes: 9))
      try stack.context.save()
    }
    let looks = plans.filter { $0.sql.contains("Z_FOK_DOG") && $0.sql.contains("SELECT") }
    #expect(!looks.isEmpty)
    for look in looks {
      #expect(look.steps.allSatisfy { $0.hasPrefix("SEARCH") }, "\(look)")
    }
  }

  @Test(arguments: [3, 700])
  func `prefetching takes one statement per level, however many objects there are`(walks: Int)
    throws
  {
    let stack = try stack(walks: walks)
    var request = Walk.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["dog.walks.dog", "dog.walks"]
    let context = stack.anotherContext()
    var fetched: [Walk] = []
    let plans = try stack.plans { fetched = try context.fetch(request) }
    #expect(fetched.count == 2 * walks)
    // The walks, their dogs, the dogs' walks; their dogs are known.
    #expect(plans.count == 3, "\(plans.map(\.sql))")
    // One by one, and many at once.
    let later = stack.anotherContext()
    let ids = fetched.map(\.objectID)
    let faults = ids.map { later.object(with: $0) }
    let fired = try stack.plans { try later.fireFaults(faults) }
    #expect(fired.count == 1)
    #expect(faults.allSatisfy { !$0.isFault })
  }

  @Test func `a child prefetches through its parents with one statement per level`() throws {
    let stack = try Stack()
    for number in 1...30 { try stack.dog("Dog \(number)", minutes: [1, number]) }
    var request = Dog.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["walks"]
    let grandparent = stack.anotherContext()
    // One dog was changed in the parent, another has got a walk, and one is gone.
    let known = try grandparent.fetch(Dog.fetchRequest()).sorted { $0.name < $1.name }
    known[0].name = "Rex"
    known[1].addToWalks(stack.walk(minutes: 99, in: grandparent))
    grandparent.delete(known[2])
    let child = ManagedObjectContext(parent: ManagedObjectContext(parent: grandparent))
    var dogs: [Dog] = []
    let plans = try stack.plans { dogs = try child.fetch(request) }
    #expect(plans.count <= 6, "\(plans.map(\.sql))")
    #expect(dogs.count == 29 && dogs.allSatisfy { !$0.hasFault(forRelationshipNamed: "walks") })
    let later = try stack.plans {
      #expect(dogs.flatMap(\.minutes).count == 59)
      #expect(dogs.first { $0.objectID == known[1].objectID }?.minutes.last == 99)
      #expect(dogs.contains { $0.name == "Rex" } && !child.hasChanges)
    }
    #expect(later.isEmpty)
  }

  @Test func `a relationship of several entities is prefetched with one statement`() throws {
    let stack = try Stack.kennel(.sqlite)
    let ada = Person(context: stack.context)
    for animal in [Cat(context: stack.context), Puppy(context: stack.context)] as [Animal] {
      animal.owner = ada
    }
    try stack.context.save()
    var request = Animal.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["owner"]
    let context = stack.anotherContext()
    let plans = try stack.plans { _ = try context.fetch(request) }
    #expect(plans.count == 2, "\(plans.map(\.sql))")
  }

  @Test func `no statement is prepared twice`() throws {
    let stack = try stack(walks: 40)
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    func work(_ round: Int) throws {
      let context = stack.anotherContext()
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "date", ascending: false)]
      (request.fetchLimit, request.fetchOffset) = (5 + round, 1 + round)
      _ = try context.fetch(request)
      _ = try context.count(for: request)
      _ = try context.fetchIDs(request)
      request.fetchLimit = 30 + round
      request.relationshipKeyPathsForPrefetching = ["dog.walks"]
      let walks = try context.fetch(request)
      request.predicate = .object(isIn: walks.prefix(20 + round).map(\.objectID))
      _ = try stack.anotherContext().fetch(request)
      let faults = stack.anotherContext()
      try faults.fireFaults(walks.prefix(17 + round).map { faults.object(with: $0.objectID) })
      let cursor = try context.cursor(for: Walk.fetchRequest())
      while try cursor.next() != nil {}
      walks[0].note = "\(round)"
      context.delete(walks[1])
      try context.save()
    }
    try work(0)
    let before = store.connection.prepareCount
    for round in 1...4 { try work(round) }
    #expect(store.connection.prepareCount == before)
    let texts = store.connection.preparedStatements
    #expect(Set(texts).count == texts.count)
  }

  @Test func `ever new queries do not accumulate statements`() throws {
    let stack = try stack()
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    var request = Walk.fetchRequest()
    for number in 0..<1_000 {
      request.predicate = .any(
        (0..<10).map { bit in
          .comparison(number >> bit & 1 == 0 ? "note" : "dog.name", .equal, .string("x"))
        })
      _ = try stack.context.fetch(request)
      if number % 100 == 0 { _ = try stack.context.fetch(Dog.fetchRequest()) }
    }
    #expect(store.connection.preparedStatements.count <= Connection.maximumStatementCount + 16)
    let before = store.connection.prepareCount
    _ = try stack.context.fetch(Dog.fetchRequest())
    #expect(store.connection.prepareCount == before)
  }
}
