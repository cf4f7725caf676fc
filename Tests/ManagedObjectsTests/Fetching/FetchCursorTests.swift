import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Results read one object at a time.
@Suite struct FetchCursorTests {
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

  /// The walks of at least so many minutes: queries of one shape, whatever the number.
  private func atLeast(_ minutes: Int) -> FetchRequest<Walk> {
    var request = byDuration
    request.predicate = .comparison(
      "duration", .greaterThanOrEqual, .double(Double(minutes) * 60))
    return request
  }

  /// Adds a walk over another connection, as another process does.
  private func addElsewhere(_ stack: Stack) throws {
    let rival = try stack.anotherContainer().newBackgroundContext()
    let dog = try Dog.findOrCreate(named: "Fido", in: rival)
    dog.addToWalks(stack.walk(minutes: 200, in: rival))
    try rival.save()
  }

  /// The minutes of the remaining walks.
  private func minutes(_ cursor: FetchCursor<Walk>) throws -> [Int] {
    var minutes: [Int] = []
    while let walk = try cursor.next() { minutes.append(Int(walk.duration! / 60)) }
    return minutes
  }

  @Test(arguments: Stack.allTypes)
  func `a cursor returns one object at a time and retains none`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try walks(100, type)
    let context = stack.anotherContext()
    var request = byDuration
    request.predicate = .comparison("duration", .greaterThan, .double(600))
    let cursor = try context.cursor(for: request)
    var minutes: [Int] = []
    while let walk = try cursor.next() {
      minutes.append(Int(walk.duration! / 60))
      #expect(context.registeredObjects.count == 1)
    }
    #expect(minutes == Array(11...100))
    #expect(try cursor.next() == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `the context reads and saves while a cursor moves`(type: PersistentStore.StoreType) throws {
    let stack = try walks(100, type)
    let context = stack.context
    let known = try #require(try context.fetch(byDuration).last)
    known.note = "kept"
    let cursor = try context.cursor(for: byDuration)
    var count = 0
    while let walk = try cursor.next() {
      count += 1
      #expect(try context.count(for: byDuration) == 100)
      walk.note = "seen"
      try context.save()
      if walk === known { break }
    }
    #expect(count == 100)
    #expect(try context.cursor(for: byDuration).next()?.note == "seen")
    cursor.close()
    #expect(try cursor.next() == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a cursor that is left early releases the store`(type: PersistentStore.StoreType) throws {
    let stack = try walks(100, type)
    do {
      let cursor = try stack.context.cursor(for: byDuration)
      #expect(try cursor.next()?.duration == 60)
    }
    #expect(try stack.context.fetch(byDuration).count == 100)
    // A statement that is still running would keep the log from being emptied.
    guard let store = stack.container.persistentStore as? SQLiteStore else { return }
    try store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let log = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
    #expect(log[.size] as? Int == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted object is not in a cursor any more`(type: PersistentStore.StoreType) throws {
    let stack = try walks(3, type)
    let first = try #require(try stack.context.fetch(byDuration).first)
    stack.context.delete(first)
    #expect(try stack.context.cursor(for: byDuration).next()?.duration == 120)
  }

  // MARK: Several of one shape

  @Test(arguments: Stack.allTypes, [false, true])
  func `cursors of one shape return their own rows`(
    type: PersistentStore.StoreType, isReading: Bool
  ) throws {
    let stack = try walks(100, type)
    let other = stack.anotherContext()
    func check() throws {
      let one = try stack.context.cursor(for: atLeast(10))
      let two = try stack.context.cursor(for: atLeast(98))
      let three = try other.cursor(for: atLeast(99))
      #expect(try two.next()?.duration == 98 * 60)
      #expect(try minutes(one) == Array(10...100))
      #expect(try minutes(three) == [99, 100])
      #expect(try minutes(two) == [99, 100])
    }
    if isReading { try stack.context.performReading(check) } else { try check() }
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a fetch between making a cursor and moving it affects neither`(
    type: PersistentStore.StoreType, isReading: Bool
  ) throws {
    let stack = try walks(100, type)
    func check() throws {
      let cursor = try stack.context.cursor(for: atLeast(97))
      #expect(try stack.context.fetch(atLeast(100)).count == 1)
      #expect(try stack.context.count(for: atLeast(51)) == 50)
      #expect(try minutes(cursor) == [97, 98, 99, 100])
    }
    if isReading { try stack.context.performReading(check) } else { try check() }
  }

  // MARK: One state

  @Test(arguments: Stack.allTypes)
  func `a cursor sees the store as of its creation`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try walks(100, type)
    let cursor = try stack.anotherContext().cursor(for: byDuration)
    let dog = try #require(try stack.context.fetch(Dog.fetchRequest()).first)
    dog.walks[0].duration = 6_060
    stack.context.delete(dog.walks[99])
    try stack.context.save()
    #expect(try minutes(cursor) == Array(1...100))
    #expect(try minutes(stack.context.cursor(for: byDuration)) == Array(2...99) + [101])
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a loop that inserts for each row comes to an end`(
    type: PersistentStore.StoreType, isWriting: Bool
  ) throws {
    let stack = try walks(70, type)
    let dog = try #require(try stack.context.fetch(Dog.fetchRequest()).first)
    func double() throws {
      let cursor = try stack.context.cursor(for: Walk.fetchRequest())
      while try cursor.next() != nil {
        #expect(try stack.context.count(for: Walk.fetchRequest()) < 141)
        dog.addToWalks(stack.walk(minutes: 500))
        try stack.context.save()
      }
    }
    if isWriting { try stack.context.performWriting(double) } else { try double() }
    #expect(try stack.context.count(for: Walk.fetchRequest()) == 140)
  }

  @Test func `while a cursor moves another process writes, and saves and fetches work`() throws {
    let stack = try walks(100, .sqlite)
    let cursor = try stack.context.cursor(for: byDuration)
    #expect(try cursor.next()?.duration == 60)
    try addElsewhere(stack)
    #expect(try stack.anotherContext().count(for: Walk.fetchRequest()) == 101)
    try stack.dog("Rex", minutes: [300])
    #expect(try stack.anotherContext().count(for: Walk.fetchRequest()) == 102)
    #expect(try minutes(cursor) == Array(2...100))
  }

  @Test(arguments: [false, true])
  func `a cursor on a read-only store sees one state too`(isOpen: Bool) throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: Array(1...100))
    // Beside a program that has it open it is shared, otherwise read in place.
    let writer = isOpen ? try folder.open() : nil
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    let cursor = try context.cursor(for: byDuration)
    #expect(try cursor.next()?.duration == 60)
    if let writer {
      let other = writer.newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: other).addToWalks(Walk(minutes: 101, in: other))
      try other.save()
      #expect(try context.count(for: Walk.fetchRequest()) == 101)
    }
    #expect(try minutes(cursor) == Array(2...100))
  }

  @Test(arguments: Stack.allTypes)
  func `inside performReading a cursor reads the same state as the body`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try walks(100, type)
    let context = stack.anotherContext()
    try context.performReading {
      if type == .sqlite {
        try addElsewhere(stack)
      }
      #expect(try minutes(context.cursor(for: byDuration)) == Array(1...100))
    }
  }

  @Test func `a cursor that outlives its performReading is a mistake`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack()
      try stack.dog("Fido", minutes: Array(1...100))
      let cursor = try stack.context.performReading {
        let cursor = try stack.context.cursor(for: Walk.fetchRequest())
        _ = try cursor.next()
        return cursor
      }
      _ = try cursor.next()
    }
    #expect(said("A cursor that was created in performReading cannot be used after it.", result))
  }

  @Test func `a cursor that outlives its performReading releases the store`() throws {
    let stack = try walks(100, .sqlite)
    let cursor = try stack.context.performReading {
      let cursor = try stack.context.cursor(for: Walk.fetchRequest())
      _ = try cursor.next()
      return cursor
    }
    try addElsewhere(stack)
    try stack.dog("Rex")
    #expect(try stack.context.count(for: Walk.fetchRequest()) == 101)
    cursor.close()
    #expect(try cursor.next() == nil)
  }

  @Test func `a file replaced by another store is not read`() throws {
    let stack = try walks(3, .sqlite)
    let other = try walks(3, .sqlite)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: stack.url.path + suffix)
      try FileManager.default.copyItem(
        atPath: other.url.path + suffix, toPath: stack.url.path + suffix)
    }
    #expect(throws: PersistentStoreError.self) { try stack.context.cursor(for: byDuration) }
  }
}
