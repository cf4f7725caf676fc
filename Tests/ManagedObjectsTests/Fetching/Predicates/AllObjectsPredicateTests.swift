import DogWalkModel
import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Aggregates of all objects of the entity: `date == max(date)`.
@Suite struct AllObjectsPredicateTests {
  private func stack(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 50, 30])
    try stack.dog("Rex", minutes: [20, 50])
    return stack
  }

  private func minutes(
    _ format: String, _ arguments: (any FetchPredicateArgument)?...,
    in context: ManagedObjectContext, pending: Bool = true
  ) throws -> [Int] {
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
    request.includesPendingChanges = pending
    let found = try context.fetch(request)
    #expect(try context.count(for: request) == found.count)
    return found.map { Int($0.duration! / 60) }
  }

  // As MagicalRecord's finders write them.
  @Test(arguments: Stack.allTypes)
  func `the object with the greatest or the least value is found`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try stack(type)
    let context = stack.anotherContext()
    #expect(try minutes("duration == max(duration)", in: context) == [50, 50])
    #expect(try minutes("%K = max(%K)", "date", "date", in: context) == [50, 50])
    #expect(try minutes("%K = min(%@)", "duration", "duration", in: context) == [10])
    #expect(try minutes("dog.name == 'Rex' AND date == min(SELF.date)", in: context) == [])
    #expect(try minutes("duration > average(duration)", in: context) == [50, 50])
    #expect(try minutes("duration < @median.duration", in: context) == [10, 20])
    #expect(try minutes("sum(duration) == 9600 AND @count == 5", in: context).count == 5)
    #expect(try minutes("note == max(note)", in: context).count == 5)
    #expect(try minutes("note == max(note) AND note != NULL", in: context) == [])
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are included on request`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    let context = stack.context
    let greatest = try context.fetch(Walk.fetchRequest()).filter { $0.duration == 3000 }
    greatest[0].duration = 300
    context.delete(greatest[1])
    #expect(try minutes("duration == max(duration)", in: context) == [30])
    #expect(try minutes("duration == min(duration)", in: context) == [5])
    let new = stack.walk(minutes: 90)
    #expect(try minutes("duration == max(duration)", in: context) == [90])
    #expect(
      try FetchPredicate(format: "duration == max(duration)").evaluate(with: new))
    let child = ManagedObjectContext(parent: context)
    #expect(try minutes("duration == max(duration)", in: child) == [90])
    child.object(with: new.objectID).setValue(3600.0, forKey: "duration")
    #expect(try minutes("duration == max(duration)", in: child) == [60])
    #expect(try minutes("duration == max(duration)", in: stack.anotherContext()) == [50, 50])
  }

  @Test(arguments: Stack.allTypes)
  func `only objects of the requested entity count`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    for (name, animal) in [
      ("Z", Cat(context: stack.context)), ("B", Hound(context: stack.context)),
      ("M", Puppy(context: stack.context)),
    ] as [(String, Animal)] { animal.name = name }
    try stack.context.save()
    func last<Result: Animal>(_ entity: Result.Type, subentities: Bool = true) throws -> [String?] {
      var request = FetchRequest<Result>()
      request.predicate = try FetchPredicate(format: "name == max(name)")
      request.includesSubentities = subentities
      return try stack.anotherContext().fetch(request).map(\.name)
    }
    #expect(try last(Animal.self) == ["Z"])
    #expect(try last(Hound.self) == ["M"])
    #expect(try last(Hound.self, subentities: false) == ["B"])
  }

  @Test(arguments: Stack.allTypes)
  func `batches, cursors and dictionaries support them too`(type: PersistentStore.StoreType) throws
  {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "duration == max(duration)")
    let cursor = try stack.context.cursor(for: request)
    #expect(try cursor.next()?.duration == 3000)
    cursor.close()
    request.propertiesToFetch = [
      "duration", .init(name: "rest", expression: try .init(format: "duration - min(duration)")),
    ]
    request.returnsDistinctResults = true
    #expect(
      try stack.context.fetchDictionaries(request) == [
        ["duration": .double(3000), "rest": .double(2400)]
      ])
    let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(changes.deleted.count == 2)
    #expect(try minutes("duration == max(duration)", in: stack.anotherContext()) == [30])
  }

  // MARK: Batches

  /// Changes the walks that are shorter than the longest one: `isDeletion` says how.
  private func changeShorter(
    isDeletion: Bool, in context: ManagedObjectContext
  ) throws -> ChangedObjectIDs {
    let predicate = try FetchPredicate(format: "duration < @max.duration")
    if isDeletion {
      var request = Walk.fetchRequest()
      request.predicate = predicate
      return try context.execute(BatchDeleteRequest(fetchRequest: request))
    }
    var request = BatchUpdateRequest(entityName: "Walk")
    request.predicate = predicate
    request.propertiesToUpdate = ["duration": .double(0)]
    return try context.execute(request)
  }

  /// The minutes of the walks that are stored.
  private func storedMinutes(_ stack: Stack) throws -> [Int] {
    try stack.reread(Walk.self).map { Int($0.duration! / 60) }
  }

  @Test(arguments: Stack.allTypes)
  func `a batch considers only what is stored`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    _ = stack.walk(minutes: 90)
    #expect(try changeShorter(isDeletion: false, in: stack.context).updated.count == 3)
    #expect(try storedMinutes(stack) == [0, 50, 0, 0, 50])
    #expect(try changeShorter(isDeletion: true, in: stack.context).deleted.count == 3)
    #expect(try storedMinutes(stack) == [50, 50])
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a batch evaluates them once no other process is writing`(
    type: PersistentStore.StoreType, isDeletion: Bool
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [5, 10])
    let container = type.isFile ? try stack.anotherContainer() : stack.container
    let done = DispatchSemaphore(value: 0)
    let changed = Mutex<Int?>(nil)
    try stack.context.performWriting {
      let longest = try #require(
        try stack.context.fetch(Walk.fetchRequest()).first { $0.duration == 600 })
      Thread {
        let changes = try? self.changeShorter(
          isDeletion: isDeletion, in: container.newBackgroundContext())
        changed.withLock { $0 = changes.map { $0.deleted.count + $0.updated.count } }
        done.signal()
      }.start()
      // Time enough to read what is stored now.
      Thread.sleep(forTimeInterval: 0.2)
      longest.duration = 180
      try stack.context.save()
    }
    done.wait()
    #expect(changed.withLock { $0 } == 1)
    #expect(try storedMinutes(stack) == (isDeletion ? [5] : [5, 0]))
  }

  @Test(arguments: Stack.allTypes)
  func `a controller evaluates them again when other objects change`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "duration == max(duration)")
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context)
    try controller.performFetch()
    #expect(controller.fetchedObjects.count == 2)
    _ = stack.walk(minutes: 70)
    stack.context.processPendingChanges()
    #expect(controller.fetchedObjects.map(\.duration) == [4200])
  }

  @Test func `the greatest value is looked up in an index`() throws {
    let stack = try stack(.sqlite)
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "date == max(date)")
    let plans = try stack.plans { _ = try stack.anotherContext().fetch(request) }
    #expect(plans.count == 2)
    #expect(plans.allSatisfy { $0.steps.count == 1 && $0.steps[0].contains("Z_Walk_byDate") })
  }
}
