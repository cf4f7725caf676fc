import Foundation
import ManagedObjects
import Testing

/// Chains of objects, each inside the one before, deeper than any call stack.
@Suite struct DeepChainTests {
  /// How deep they are; in memory, reading a list scans all rows.
  private static func depth(_ type: PersistentStore.StoreType) -> Int {
    type == .sqlite ? 20_000 : 1_000
  }

  /// The outermost of boxes within boxes, all saved.
  private static func chain(
    _ type: PersistentStore.StoreType, _ stack: Stack, in child: ManagedObjectContext? = nil
  ) throws -> Boxes.Box {
    let context = child ?? stack.context
    let outermost = Boxes.Box(named: "0", in: context)
    var last = outermost
    for number in 1..<depth(type) {
      let box = Boxes.Box(named: "\(number)", in: context)
      box.outer = last
      last = box
    }
    try child?.save()
    try stack.context.save()
    return outermost
  }

  /// Runs a body on a thread with the stack that most threads have.
  private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    let thread = Thread {
      outcome.result = Result { try body() }
      outcome.done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    outcome.done.wait()
    try outcome.result?.get()
  }

  private final class Outcome: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var result: Result<Void, any Error>?
  }

  @Test(arguments: Stack.allTypes)
  func `a cascade reaches the end, is undone and redone`(
    type: PersistentStore.StoreType
  ) throws {
    try onSmallStack {
      let stack = try Stack(type, model: Boxes.model())
      let box = try Self.chain(type, stack)
      stack.context.undoManager = ContextUndoManager()
      stack.context.delete(box)
      try #require(stack.context.deletedObjects.count == Self.depth(type))
      stack.context.undo()
      try #require(!stack.context.hasChanges)
      stack.context.redo()
      try stack.context.save()
      try #require(try stack.reread(Boxes.Box.self).isEmpty)
      stack.context.undo()
      try stack.context.save()
      try #require(
        try stack.anotherContext().count(for: Boxes.Box.fetchRequest()) == Self.depth(type))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a cascade over unread objects, and a rollback`(
    type: PersistentStore.StoreType
  ) throws {
    try onSmallStack {
      let stack = try Stack(type, model: Boxes.model())
      let id = try Self.chain(type, stack).objectID
      let context = stack.anotherContext()
      context.delete(context.object(with: id))
      context.rollback()
      context.delete(context.object(with: id))
      try context.save()
      try #require(try stack.reread(Boxes.Box.self).isEmpty)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a child saves and deletes a chain`(type: PersistentStore.StoreType) throws {
    try onSmallStack {
      let stack = try Stack(type, model: Boxes.model())
      let child = ManagedObjectContext(parent: stack.context)
      let first = try Self.chain(type, stack, in: child)
      try #require(
        try stack.anotherContext().count(for: Boxes.Box.fetchRequest()) == Self.depth(type))
      child.delete(first)
      try child.save()
      try stack.context.save()
      try #require(try stack.reread(Boxes.Box.self).isEmpty)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a long chain of lists that retain each other can be released`(
    type: PersistentStore.StoreType
  ) throws {
    try onSmallStack {
      let stack = try Stack(type, model: Boxes.model())
      let id = try Self.chain(type, stack).objectID
      let context = stack.anotherContext()
      func read() throws {
        var box = try #require(try context.existingObject(with: id) as? Boxes.Box)
        let outermost = box
        while let inner = box.boxes.first { box = inner }
        try #require(box.name == "\(Self.depth(type) - 1)")
        withExtendedLifetime(outermost) {}
      }
      try read()
      try #require(context.registeredObjects.isEmpty)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a batch deletes a chain`(type: PersistentStore.StoreType) throws {
    try onSmallStack {
      let stack = try Stack(type, model: Boxes.model())
      _ = try Self.chain(type, stack)
      var request = FetchRequest<Boxes.Box>(entityName: "Box")
      request.predicate = .comparison("name", .equal, .string("0"))
      let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
      try #require(changes.deleted.count == Self.depth(type))
    }
  }
}
