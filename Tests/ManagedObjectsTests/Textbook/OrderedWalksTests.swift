import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A textbook's dog, whose walks are an ordered list: adding, showing, deleting by the row.
@Suite struct OrderedWalksTests {
  @Test(arguments: Stack.allTypes)
  func `walks are added at the end and deleted by their row`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let context = stack.context

    // The current dog: found, or made when the program first runs.
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    #expect(try Dog.findOrCreate(named: "Fido", in: context) === fido)

    // One walk as the accessor has it, one through a changed copy of the list.
    let first = Walk(context: context)
    first.date = Date(timeIntervalSinceReferenceDate: 0)
    fido.addToWalks(first)
    let second = Walk(context: context)
    second.date = Date(timeIntervalSinceReferenceDate: 60)
    var walks = fido.walks
    walks.append(second)
    fido.walks = walks
    try context.save()
    #expect(first.dog === fido && second.dog === fido)

    // Swiped away in the table.
    let row = 0
    let removed = fido.walks[row]
    context.delete(removed)
    #expect(fido.walks.array == [second])
    try context.save()
    #expect(removed.managedObjectContext == nil)

    let again = try #require(try stack.reread(Dog.self).first)
    #expect(again.walks.map(\.date) == [Date(timeIntervalSinceReferenceDate: 60)])
    #expect(try stack.reread(Walk.self).count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `removing a walk from the list does not delete it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let walk = fido.walks[0]
    fido.removeFromWalks(walk)
    #expect(!walk.isDeleted && walk.dog == nil)
    // A walk needs a dog.
    #expect(throws: ValidationError.self) { try stack.context.save() }
    stack.context.delete(walk)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).first?.minutes == [20])
  }

  @Test(arguments: Stack.allTypes)
  func `a dog's walks are deleted with it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    stack.context.delete(try stack.dog("Fido", minutes: [10, 20]))
    try stack.context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }
}
