import Foundation
import Testing

@testable import ManagedObjects

/// Permanent keys that replace temporary ones, where much is unsaved or read by children.
@Suite struct ReplacedKeyTests {
  /// Items with a parent, and a relationship without an inverse.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Item",
      properties: [
        .value("name", .string), .toOne("parent", "Item", back: "parts"),
        .toMany("parts", "Item", back: "parent"), .toOne("next", "Item"),
      ])
  ])

  private func item(_ name: String, in context: ManagedObjectContext) -> ManagedObject {
    let item = ManagedObject("Item", in: context)
    item.setValue(name, forKey: "name")
    return item
  }

  private func end(_ key: String, of item: ManagedObject) -> ManagedObject? {
    item.value(forKey: key) as? ManagedObject
  }

  // MARK: IDs before a save

  @Test(arguments: Stack.allTypes)
  func `to-ones of many unsaved objects are updated when IDs are obtained one by one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let context = stack.context
    let stored = item("stored", in: context)
    try context.save()
    let items = (0..<40).map { item("\($0)", in: context) }
    for (item, next) in zip(items, items.dropFirst()) { item.setValue(next, forKey: "next") }
    for item in items.dropFirst() { item.setValue(items[0], forKey: "parent") }
    stored.setValue(items[7], forKey: "next")
    for (number, item) in items.enumerated() {
      try context.obtainPermanentIDs(for: [item])
      #expect(!item.objectID.isTemporaryID)
      // The objects that were examined are changed once more.
      items[39].setValue(items[(number + 1) % 39], forKey: "next")
      #expect(end("next", of: items[39]) === items[(number + 1) % 39])
    }
    #expect(!items.contains(where: \.leadsToTemporaryKeys) && !stored.leadsToTemporaryKeys)
    for (item, next) in zip(items, items.dropFirst()) { #expect(end("next", of: item) === next) }
    #expect(items.dropFirst().allSatisfy { end("parent", of: $0) === items[0] })
    #expect(end("next", of: stored) === items[7])
    try context.save()
    let other = stack.anotherContext()
    let again = try other.existingObject(with: items[38].objectID)
    #expect(end("next", of: again)?.nameValue == "39")
    #expect(end("parent", of: again)?.nameValue == "0")
  }

  @Test func `with an undo manager each replaced key is found and recorded once`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let context = stack.context
    let stored = item("stored", in: context)
    try context.save()
    context.undoManager = ContextUndoManager()
    let items = (0..<40).map { item("\($0)", in: context) }
    for item in items.dropFirst() { item.setValue(items[0], forKey: "parent") }
    context.processPendingChanges()
    for item in items {
      stored.setValue(item, forKey: "next")
      try context.obtainPermanentIDs(for: [item])
    }
    // Each one was looked up, and none of the others were examined.
    #expect(context.temporaryEnds != nil)
    #expect(!items.contains(where: \.leadsToTemporaryKeys) && !stored.leadsToTemporaryKeys)
    #expect(end("next", of: stored) === items[39])
    #expect(stored.changedValuesForCurrentEvent().keys.contains("next"))
    context.undo()
    #expect(end("next", of: stored) == nil)
    context.redo()
    #expect(end("next", of: stored) === items[39])
    context.undo()
    context.undo()
    #expect(!context.hasChanges)
    context.redo()
    #expect(items.dropFirst().allSatisfy { end("parent", of: $0) === items[0] })
    try context.save()
    let another = stack.anotherContext()
    let again = try another.existingObject(with: items[9].objectID)
    #expect(end("parent", of: again)?.objectID == items[0].objectID)
  }

  @Test func `a deleted object is updated too, and restored`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let context = stack.context
    context.undoManager = ContextUndoManager()
    let items = (0..<40).map { item("\($0)", in: context) }
    items[1].setValue(items[0], forKey: "next")
    context.processPendingChanges()
    context.delete(items[1])
    try context.obtainPermanentIDs(for: [items[0]])
    context.undo()
    #expect(end("next", of: items[1]) === items[0])
    try context.save()
    #expect(end("next", of: items[1]) === items[0])
  }

  // MARK: Children

  @Test(arguments: [2, 40])
  func `a child's references to its parent's unsaved objects lead to their rows`(
    count: Int
  ) throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let context = stack.context
    let stored = item("stored", in: context)
    try context.save()
    let items = (0..<count).map { item("\($0)", in: context) }
    items[1].setValue(items[0], forKey: "next")
    stored.setValue(items[0], forKey: "next")
    let child = ManagedObjectContext(parent: context)
    let grandchild = ManagedObjectContext(parent: child)
    let contexts = [child, grandchild]
    let twins = try contexts.map { try $0.existingObject(with: items[1].objectID) }
    let storedTwins = try contexts.map { try $0.existingObject(with: stored.objectID) }
    // Refetched, it would be another object; the one that was read stays.
    try context.refresh(stored, mergeChanges: false)
    try context.save()
    for (context, twin) in zip(contexts + contexts, twins + storedTwins) {
      #expect(!twin.leadsToTemporaryKeys)
      let next = try #require(end("next", of: twin))
      #expect(next.objectID == items[0].objectID && next.nameValue == "0")
      #expect(context.registeredObject(for: items[0].objectID) === next)
    }
    #expect(context.objectsNamedByChildren == nil)
  }

  @Test func `only objects that refer to the replaced one are examined`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let context = stack.context
    let items = (0..<40).map { item("\($0)", in: context) }
    for (item, next) in zip(items, items.dropFirst()) { item.setValue(next, forKey: "next") }
    let child = ManagedObjectContext(parent: context)
    let twins = try items.map { try child.existingObject(with: $0.objectID) }
    #expect(context.objectsNamedByChildren?.count == 39)
    for (number, item) in items.dropFirst().enumerated() {
      try context.obtainPermanentIDs(for: [item])
      #expect(context.objectsNamedByChildren?.count ?? 0 == 38 - number)
      #expect(!twins[number].leadsToTemporaryKeys)
      #expect(end("next", of: twins[number]) === twins[number + 1])
    }
    #expect(context.objectsNamedByChildren == nil)
  }

  @Test func `an undo in a child leads to objects that its parent has saved meanwhile`() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let context = stack.context
    let (stored, other) = (item("stored", in: context), item("other", in: context))
    try context.save()
    let new = item("new", in: context)
    stored.setValue(new, forKey: "next")
    let child = ManagedObjectContext(parent: context)
    child.undoManager = ContextUndoManager()
    let twin = try child.existingObject(with: stored.objectID)
    // Nothing asks the child for its destinations.
    twin.setValue(try child.existingObject(with: other.objectID), forKey: "next")
    child.processPendingChanges()
    try context.save()
    child.undo()
    #expect(end("next", of: twin)?.objectID == new.objectID)
    try child.save()
    try context.save()
    let another = stack.anotherContext()
    let again = try another.existingObject(with: stored.objectID)
    #expect(end("next", of: again)?.nameValue == "new")
  }

  @Test func `objects saved by a child lead to rows once its parent has saved`() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let context = stack.context
    let child = ManagedObjectContext(parent: context)
    let grandchild = ManagedObjectContext(parent: child)
    let (one, two) = (item("one", in: grandchild), item("two", in: grandchild))
    one.setValue(two, forKey: "next")
    two.setValue(one, forKey: "parent")
    try grandchild.save()
    try child.save()
    #expect(end("next", of: one) === two && one.objectID.isTemporaryID)
    try context.save()
    #expect(!one.objectID.isTemporaryID && !two.objectID.isTemporaryID)
    #expect(end("next", of: one) === two && end("parent", of: two) === one)
    #expect(context.objectsNamedByChildren == nil && child.objectsNamedByChildren == nil)
    let other = stack.anotherContext()
    #expect(end("next", of: try other.existingObject(with: one.objectID))?.nameValue == "two")
  }

  @Test func `a child's own changes are updated by its parent's save`() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let target = item("target", in: stack.context)
    let child = ManagedObjectContext(parent: stack.context)
    let twin = try child.existingObject(with: target.objectID)
    let items = (0..<40).map { item("\($0)", in: child) }
    for item in items { item.setValue(twin, forKey: "next") }
    try stack.context.save()
    #expect(twin.objectID == target.objectID && !target.objectID.isTemporaryID)
    #expect(items.allSatisfy { end("next", of: $0) === twin })
    try child.save()
    try stack.context.save()
    let stored = try stack.anotherContext().existingObject(with: items[9].objectID)
    #expect(!stored.leadsToTemporaryKeys && !items[9].leadsToTemporaryKeys)
  }
}
