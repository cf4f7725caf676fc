import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Stacks whose changes can be undone.
extension Stack {
  /// An empty stack.
  static func undoable(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    stack.context.undoManager = ContextUndoManager()
    return stack
  }

  /// One with Fido, who has walks of 10, 20 and 30 minutes, saved, and nothing to undo.
  static func undoableFido(
    _ type: PersistentStore.StoreType
  ) throws -> (stack: Stack, dog: Dog, context: ManagedObjectContext) {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20, 30])
    #expect(stack.context.undoManager == nil)
    stack.context.undo()
    stack.context.undoManager = ContextUndoManager()
    return (stack, dog, stack.context)
  }

  /// One with Fido's and Rex's walks, and a context in which none of it was read.
  static func undoableUnread(
    _ type: PersistentStore.StoreType
  ) throws -> (stack: Stack, context: ManagedObjectContext) {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    try stack.dog("Rex", minutes: [5])
    let context = stack.anotherContext()
    context.undoManager = ContextUndoManager()
    return (stack, context)
  }
}

extension ManagedObjectContext {
  /// The dog of a name.
  func dog(named name: String) throws -> Dog {
    try #require(try fetch(Dog.fetchRequest()).first { $0.name == name })
  }
}
