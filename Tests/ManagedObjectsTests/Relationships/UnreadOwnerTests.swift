import DogWalkModel
import ManagedObjects
import Testing

/// To-manys whose members have not been read.
@Suite struct UnreadOwnerTests {
  @Test(arguments: Stack.allTypes)
  func `an owner is changed when it loses a member`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try Dog.findOrCreate(named: "Fido", in: stack.context)
    let rex = try Dog.findOrCreate(named: "Rex", in: stack.context)
    fido.addToWalks(Walk(minutes: 35, in: stack.context))
    try stack.context.save()
    let context = stack.anotherContext()
    let walk = try #require(context.fetch(Walk.fetchRequest()).first)
    let owner = try #require(context.object(with: fido.objectID) as? Dog)
    let other = try #require(context.object(with: rex.objectID) as? Dog)
    walk.dog = other
    #expect(owner.isUpdated && other.isUpdated)
    #expect(context.updatedObjects == [walk, owner, other])
    try context.save()
    #expect(!context.hasChanges)
    context.delete(walk)
    #expect(other.isUpdated && !owner.isUpdated)
    try context.save()
    #expect(owner.walks.isEmpty && other.walks.isEmpty)
  }

  /// The owner is updated, but has nothing to save.
  @Test(arguments: Stack.allTypes, [false, true])
  func `an owner that others have deleted does not come back with a member's deletion`(
    type: PersistentStore.StoreType, overwrites: Bool
  ) throws {
    let stack = try Stack(type)
    let fido = try Dog.findOrCreate(named: "Fido", in: stack.context)
    fido.addToWalks(Walk(minutes: 35, in: stack.context))
    try stack.context.save()
    let context = stack.anotherContext()
    context.mergePolicy = overwrites ? .overwrite : .mergeByPropertyObjectTrump
    let walk = try #require(context.fetch(Walk.fetchRequest()).first)
    #expect(walk.dog?.name == "Fido")
    stack.context.delete(fido)
    try stack.context.save()
    context.delete(walk)
    try context.save()
    #expect(try context.count(for: Dog.fetchRequest()) == 0)
  }

  @Test func `a child deletes a member of an owner that its parent has deleted`() throws {
    let stack = try Stack()
    let fido = try Dog.findOrCreate(named: "Fido", in: stack.context)
    fido.addToWalks(Walk(minutes: 35, in: stack.context))
    try stack.context.save()
    let child = ManagedObjectContext(parent: stack.context)
    let walk = try #require(child.fetch(Walk.fetchRequest()).first)
    #expect(walk.dog?.name == "Fido")
    stack.context.delete(fido)
    child.delete(walk)
    try child.save()
    try stack.context.save()
    #expect(try stack.context.count(for: Dog.fetchRequest()) == 0)
  }
}
