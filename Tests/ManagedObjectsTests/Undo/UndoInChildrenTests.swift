import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Undoing and redoing in a child whose parent is a child, too.
@Suite struct `Undoing in a child of a child` {
  /// A chain of contexts, the one that saves to the store first.
  private struct Chain {
    let stack: Stack
    let contexts: [ManagedObjectContext]
    var child: ManagedObjectContext { contexts[2] }

    init() throws {
      stack = try Stack(.sqlite)
      let middle = ManagedObjectContext(parent: stack.context)
      let child = ManagedObjectContext(parent: middle)
      child.undoManager = ContextUndoManager()
      contexts = [stack.context, middle, child]
    }

    /// Saves the child, and so many of its ancestors.
    func save(levels: Int) throws {
      for context in contexts.reversed().prefix(levels) { try context.save() }
    }

    func stored() throws -> [String] {
      try stack.container.newBackgroundContext().fetch(Dog.fetchRequest()).map(\.name)
    }
  }

  @Test(arguments: (0..<64).map { [$0 / 16, $0 / 4 % 4, $0 % 4] })
  func `an insertion can be saved at any level between`(levels: [Int]) throws {
    let chain = try Chain()
    let dog = Dog(context: chain.child)
    (dog.name, dog.nameKey) = ("Fido", "fido")
    try chain.save(levels: levels[0])
    chain.child.undo()
    try chain.save(levels: levels[1])
    chain.child.redo()
    // An ancestor has yet to save the deletion: until it has, nothing can replace the object.
    let isHeldUp = (1..<3).contains(levels[1]) && levels[1] < levels[0]
    if isHeldUp {
      #expect(throws: ConflictError.self) { try chain.save(levels: levels[1]) }
      for context in chain.contexts.dropLast() { try context.save() }
      for context in chain.contexts.dropLast().reversed() { try context.save() }
    }
    try chain.save(levels: levels[2])
    try chain.save(levels: 3)
    #expect(try chain.stored() == ["Fido"])
  }
}
