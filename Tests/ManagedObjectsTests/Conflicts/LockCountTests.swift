import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Optimistic-lock counts (Z_OPT) of every size, and other values found in their column.
@Suite struct LockCountTests {
  private static let counts = [
    "4294967294", "4294967295", "4294967296", "5000000000000", "9223372036854775806",
    "9223372036854775807", "-1", "-9223372036854775808", "NULL", "1.5", "'text'", "1e300",
  ]

  private func stack(_ count: String) throws -> Stack {
    let stack = try Stack()
    try stack.dog("Fido", minutes: [10, 20, 30])
    _ = try stack.sqlite("UPDATE ZDOG SET Z_OPT = \(count) RETURNING 1")
    _ = try stack.sqlite("UPDATE ZWALK SET Z_OPT = \(count) RETURNING 1")
    return stack
  }

  @Test(arguments: counts)
  func `a row is changed repeatedly, and deleted`(count: String) throws {
    let stack = try stack(count)
    let context = stack.anotherContext()
    let dog = try #require(try context.fetch(Dog.fetchRequest()).first)
    for minutes: Int16 in 1...3 {
      dog.targetMinutes = minutes
      var walks = dog.walks
      walks.move(fromOffset: 2, toOffset: 0)
      dog.walks = walks
      try context.save()
    }
    #expect(try stack.reread(Dog.self).map(\.targetMinutes) == [3])
    context.delete(dog.walks[0])
    try context.save()
    context.delete(dog)
    try context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: counts)
  func `another context's change is detected`(count: String) throws {
    let stack = try stack(count)
    let (one, two) = (stack.anotherContext(), stack.anotherContext())
    let dogs = try [one, two].map { try #require(try $0.fetch(Dog.fetchRequest()).first) }
    dogs[0].targetMinutes = 1
    dogs[1].targetMinutes = 2
    try one.save()
    #expect(throws: ConflictError.self) { try two.save() }
    two.mergePolicy = .mergeByPropertyObjectTrump
    try two.save()
    #expect(try stack.reread(Dog.self).map(\.targetMinutes) == [2])
  }

  @Test func `a count is incremented, however large it is`() throws {
    let stack = try stack("4294967295")
    let context = stack.anotherContext()
    try #require(try context.fetch(Dog.fetchRequest()).first).targetMinutes = 1
    try context.save()
    #expect(try stack.sqlite("SELECT Z_OPT FROM ZDOG") == "4294967296")
    var request = BatchUpdateRequest(entityName: "Dog")
    request.propertiesToUpdate = ["targetMinutes": .integer(2)]
    _ = try context.execute(request)
    #expect(try stack.sqlite("SELECT Z_OPT FROM ZDOG") == "4294967297")
  }

  @Test(arguments: Stack.allTypes)
  func `a row that was made again conflicts with every context that read the old one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido").targetMinutes = 1
    try stack.context.save()
    func read() throws -> (context: ManagedObjectContext, dog: Dog) {
      let context = stack.anotherContext()
      return (context, try #require(try context.fetch(Dog.fetchRequest()).first))
    }
    let keeping = try read()
    keeping.context.mergePolicy = .mergeByPropertyObjectTrump
    keeping.dog.targetMinutes = 10
    let rival = try read()
    // Each has read it with a different count.
    var late = [try read()]
    for minutes: Int16 in 2...4 {
      rival.dog.targetMinutes = minutes
      try rival.context.save()
      late.append(try read())
    }
    rival.context.delete(rival.dog)
    try rival.context.save()
    try keeping.context.save()
    for (context, dog) in late {
      dog.maximumGap = 60
      #expect(throws: ConflictError.self) { try context.save() }
    }
    #expect(try stack.reread(Dog.self).map(\.targetMinutes) == [10])
  }

  @Test func `the undo log undoes a row that was made again`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10])
    let container = try folder.open { $0.undoLogLimit = 10 }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    one.mergePolicy = .mergeByPropertyObjectTrump
    let dog = try Dog.findOrCreate(named: "Fido", in: one)
    dog.targetMinutes = 10
    two.delete(try Dog.findOrCreate(named: "Fido", in: two))
    try two.save()
    try one.save()
    #expect(try folder.contents().keys.sorted() == ["Fido"])
    try log.undo()
    #expect(try folder.contents().isEmpty)
    try log.undo()
    #expect(try folder.contents() == ["Fido": [10]])
  }

  @Test(arguments: counts)
  func `the undo log undoes changes of a row with such a count`(count: String) throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10])
    try SQLiteFile(folder.store).execute("UPDATE ZDOG SET Z_OPT = \(count)")
    let container = try folder.open { $0.undoLogLimit = 10 }
    let context = container.newBackgroundContext()
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    for minutes: Int16 in 1...2 {
      dog.targetMinutes = minutes
      try context.save()
    }
    context.delete(dog)
    try context.save()
    for _ in 0..<3 { try log.undo() }
    #expect(try SQLiteFile(folder.store).value("SELECT ZTARGETMINUTES FROM ZDOG") == "NULL")
    for _ in 0..<3 { try log.redo() }
    #expect(try SQLiteFile(folder.store).number("SELECT count(*) FROM ZDOG") == 0)
  }
}
