import ManagedObjects
import Testing

/// Relationships of objects whose rows others have deleted, found out by reading them.
@Suite struct LostMemberTests {
  /// A box with labels, and its twin in another context, which has read its list.
  private struct Pair {
    let stack: Stack
    let other: ManagedObjectContext
    let box: Boxes.Box
    let twin: Boxes.Box

    init(_ type: PersistentStore.StoreType) throws {
      stack = try Stack(type, model: Boxes.model())
      box = Boxes.Box(named: "box", in: stack.context)
      for name in ["a", "b"] {
        box.labels.insert(Boxes.Label(named: name, in: stack.context))
        box.things.append(Boxes.Thing(named: name, in: stack.context))
      }
      try stack.context.save()
      other = stack.anotherContext()
      twin = try #require(other.existingObject(with: box.objectID) as? Boxes.Box)
      _ = (twin.labels.count, twin.things.count)
    }

    /// Has an object deleted, and its twin, a fault by then, read.
    func lose<Object: Boxes.Named>(_ object: Object) throws -> Object {
      let lost = try #require(other.object(with: object.objectID) as? Object)
      stack.context.delete(object)
      try stack.context.save()
      try other.refresh(lost, mergeChanges: false)
      try #require(lost.name == nil)
      return lost
    }

    /// The names of the labels of the box, as they are stored.
    func labels() throws -> [String] {
      try stack.reread(Boxes.Box.self)[0].labels.compactMap(\.name).sorted()
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a list with a lost member accepts more`(type: PersistentStore.StoreType) throws {
    let pair = try Pair(type)
    _ = try pair.lose(#require(pair.box.labels.first { $0.name == "a" }))
    pair.twin.labels.insert(Boxes.Label(named: "c", in: pair.other))
    try pair.other.save()
    #expect(try pair.labels() == ["b", "c"])
  }

  @Test(arguments: Stack.allTypes)
  func `adding a lost member to a list is a conflict`(type: PersistentStore.StoreType) throws {
    let pair = try Pair(type)
    let label = Boxes.Label(named: "c", in: pair.stack.context)
    try pair.stack.context.save()
    let lost = try pair.lose(label)
    pair.twin.labels.insert(lost)
    let conflict = #expect(throws: ConflictError.self) { try pair.other.save() }
    #expect(conflict?.objectIDs == [lost.objectID])
    pair.other.rollback()
    try pair.other.refreshAllObjects()
    #expect(pair.twin.labels.count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `setting a to-one to a lost object is a conflict, which the policy may resolve`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try Pair(type)
    let maker = Boxes.Maker(named: "maker", in: pair.stack.context)
    try pair.stack.context.save()
    let lost = try pair.lose(maker)
    pair.twin.things[0].maker = lost
    #expect(throws: ConflictError.self) { try pair.other.save() }
    pair.other.mergePolicy = .mergeByPropertyObjectTrump
    try pair.other.save()
    let things = try pair.stack.reread(Boxes.Thing.self)
    #expect(things.count == 2 && things.allSatisfy { $0.maker == nil })
  }

  @Test(arguments: Stack.allTypes)
  func `rearranging a list with a lost member is a conflict`(type: PersistentStore.StoreType) throws
  {
    let pair = try Pair(type)
    let lost = try pair.lose(pair.box.things[0])
    pair.twin.things = OrderedSet(pair.twin.things.array.reversed())
    let conflict = #expect(throws: ConflictError.self) { try pair.other.save() }
    // The box was renamed as its thing was deleted.
    #expect(conflict?.objectIDs == [lost.objectID, pair.box.objectID])
    pair.other.rollback()
    try pair.other.refreshAllObjects()
    #expect(pair.twin.things.map(\.name) == ["b"])
  }
}
