import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A deletion that two contexts undo: there is one row, and one object in each.
@Suite struct SharedUndoTests {
  /// Two contexts that have both deleted Fido's first walk; the first has saved that.
  private struct Pair {
    let stack: Stack
    let dog: Dog
    let walk: Walk
    let other: Stack
    let otherWalk: Walk

    init(_ type: PersistentStore.StoreType) throws {
      let pair = try MergingPair(type)
      (stack, dog, other) = (pair.stack, pair.dog, pair.other)
      (walk, otherWalk) = (dog.walks[0], pair.otherDog.walks[0])
      for context in [stack.context, other.context] {
        context.undoManager = ContextUndoManager()
      }
      other.context.delete(otherWalk)
      other.context.processPendingChanges()
      stack.context.delete(walk)
      try stack.context.save()
      try other.context.mergeChanges(from: ChangedObjectIDs(deleted: [walk.objectID]))
    }
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `the second undo updates the row that the first has restored`(
    type: PersistentStore.StoreType, merges: Bool
  ) throws {
    let pair = try Pair(type)
    pair.other.context.undo()
    pair.otherWalk.note = "theirs"
    try pair.other.context.save()
    if merges {
      try pair.stack.context.mergeChanges(
        from: ChangedObjectIDs(inserted: [pair.otherWalk.objectID]))
      #expect(pair.dog.minutes == [10, 20])
    }
    pair.stack.context.undo()
    #expect(pair.dog.minutes == [10, 20] && pair.dog.walks[0] === pair.walk)
    #expect(pair.walk.dog === pair.dog && pair.walk.note == nil && pair.walk.isUpdated)
    try pair.stack.context.save()
    #expect(try pair.stack.reread(Dog.self).map(\.minutes) == [[10, 20]])
    #expect(try pair.stack.reread(Walk.self).map(\.note) == [nil, nil])
    // And once more.
    pair.stack.context.redo()
    try pair.stack.context.save()
    #expect(try pair.stack.reread(Dog.self).map(\.minutes) == [[20]])
    pair.stack.context.undo()
    try pair.stack.context.save()
    #expect(try pair.stack.reread(Dog.self).map(\.minutes) == [[10, 20]])
  }

  @Test(arguments: Stack.allTypes)
  func `of two concurrent undos, the second to save is refused`(
    type: PersistentStore.StoreType
  ) throws {
    let pair = try Pair(type)
    pair.stack.context.undo()
    #expect(pair.walk.isInserted)
    pair.other.context.undo()
    pair.otherWalk.note = "theirs"
    try pair.other.context.save()
    let error = #expect(throws: ConflictError.self) { try pair.stack.context.save() }
    #expect(error?.objectID == pair.walk.objectID)
    #expect(try pair.stack.reread(Walk.self).map(\.note) == ["theirs", nil])
    pair.stack.context.rollback()
    try pair.stack.context.refreshAllObjects()
    #expect(pair.dog.minutes == [10, 20])
  }
}
