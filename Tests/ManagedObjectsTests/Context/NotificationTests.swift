import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct NotificationTests {
  /// The received events, as words.
  private final class Diary {
    private(set) var lines: [String] = []

    func write(_ changes: ObjectChanges) {
      for (word, objects) in [
        ("inserted", changes.inserted), ("updated", changes.updated),
        ("deleted", changes.deleted), ("refreshed", changes.refreshed),
      ] where !objects.isEmpty {
        lines.append("\(word) \(objects.map(\.entity.name).sorted().joined(separator: " "))")
      }
    }

    func read() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  @Test(arguments: Stack.allTypes)
  func `an event reports what happened since the last one`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let context = stack.context
    let diary = Diary()
    let observation = context.observe(.objectsDidChange, diary.write)
    defer { observation.cancel() }
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    dog.targetMinutes = 5
    #expect(diary.read() == [])
    context.processPendingChanges()
    #expect(diary.read() == ["inserted Dog"])
    context.processPendingChanges()
    #expect(diary.read() == [])
    dog.targetMinutes = 10
    dog.addToWalks(stack.walk(minutes: 10))
    context.processPendingChanges()
    #expect(diary.read() == ["inserted Walk", "updated Dog"])
    try context.save()
    #expect(diary.read() == [])
    dog.targetMinutes = 20
    context.processPendingChanges()
    #expect(diary.read() == ["updated Dog"])
    dog.targetMinutes = 30
    context.processPendingChanges()
    #expect(diary.read() == ["updated Dog"])
    context.delete(dog.walks[0])
    context.processPendingChanges()
    #expect(diary.read() == ["updated Dog", "deleted Walk"])
    try context.save()
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 30 && reread.walks.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an object made and deleted within one event is not reported`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let diary = Diary()
    let observation = stack.context.observe(.objectsDidChange, diary.write)
    defer { observation.cancel() }
    stack.context.delete(stack.walk(minutes: 10))
    stack.context.processPendingChanges()
    #expect(diary.read() == [])
  }

  @Test(arguments: Stack.allTypes)
  func `a save ends the event first`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    var heard: [String] = []
    let observations = [
      stack.context.observe(.didSave) { _ in heard.append("did save") },
      stack.context.observe(.willSave) { _ in heard.append("will save") },
      stack.context.observe(.objectsDidChange) { _ in heard.append("changed") },
    ]
    defer { for observation in observations { observation.cancel() } }
    try stack.dog("Fido")
    #expect(heard == ["changed", "will save", "did save"])
  }

  @Test(arguments: Stack.allTypes)
  func `an observer's changes before a save are saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let observation = stack.context.observe(.willSave) { changes in
      for case let dog as Dog in changes.inserted { dog.targetMinutes = 45 }
    }
    defer { observation.cancel() }
    try stack.dog("Fido")
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 45)
  }

  @Test(arguments: Stack.allTypes)
  func `a rollback reports the restored objects`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido"), try stack.dog("Rex"))
    let diary = Diary()
    let observation = stack.context.observe(.objectsDidChange, diary.write)
    defer { observation.cancel() }
    fido.targetMinutes = 5
    stack.context.delete(rex)
    _ = stack.walk(minutes: 10)
    stack.context.processPendingChanges()
    _ = diary.read()
    stack.context.rollback()
    #expect(diary.read() == ["inserted Dog", "deleted Walk", "refreshed Dog"])
  }

  @Test(arguments: Stack.allTypes)
  func `an observer is called until its observation is released`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    var count = 0
    var observation: ContextObservation? = stack.context.observe(.didSave) { _ in count += 1 }
    try stack.dog("Fido")
    #expect(count == 1 && observation != nil)
    observation = nil
    try stack.dog("Rex")
    #expect(count == 1)
    observation = stack.context.observe(.didSave) { _ in count += 1 }
    observation?.cancel()
    try stack.dog("Bello")
    #expect(count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `an observer that changes objects begins another event`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    var heard: [Int16?] = []
    let observation = stack.context.observe(.objectsDidChange) { changes in
      heard.append(dog.targetMinutes)
      if dog.targetMinutes! < 3 { dog.targetMinutes! += 1 }
    }
    defer { observation.cancel() }
    dog.targetMinutes = 1
    stack.context.processPendingChanges()
    #expect(heard == [1, 2, 3])
  }

  @Test(arguments: Stack.allTypes)
  func `order and rollback are unaffected by observers`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let observation = stack.context.observe(.objectsDidChange) { _ in }
    defer { observation.cancel() }
    let dog = try stack.dog("Fido", minutes: [10, 20])
    dog.targetMinutes = 5
    stack.context.processPendingChanges()
    dog.targetMinutes = 6
    dog.insertIntoWalks(stack.walk(minutes: 5), at: 0)
    stack.context.processPendingChanges()
    dog.walks[0].note = "short"
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [5, 10, 20])
    dog.targetMinutes = 7
    stack.context.processPendingChanges()
    dog.targetMinutes = 8
    stack.context.rollback()
    #expect(dog.targetMinutes == 6)
  }
}
