import Foundation
import Testing

@testable import ManagedObjects

/// Deleted members of to-manys without an inverse, which do not learn of the deletion.
@Suite struct DeletedMemberTests {
  private let stack: Stack
  private var context: ManagedObjectContext { stack.context }
  private let undoManager = ContextUndoManager()
  private let note: ManagedObject
  private let tags: [ManagedObject]

  init() throws {
    stack = try Stack(model: ManyToManyTests.model)
    let context = stack.context
    func make(_ entity: String, _ text: String) -> ManagedObject {
      let object = ManagedObject(entity, in: context)
      object.setValue(text, forKey: "text")
      return object
    }
    note = make("Note", "note")
    tags = (0..<4).map { make("Tag", "\($0)") }
    for tag in tags { note.add(tag, to: Self.sources) }
    try context.save()
    context.undoManager = undoManager
  }

  private static let sources = PropertySlot(-1, "sources")

  private func texts(of note: ManagedObject) -> [String] {
    let members: OrderedSet<ManagedObject> = note.orderedToMany(at: Self.sources)
    return members.map { $0.value(forKey: "text") as! String }
  }

  private var texts: [String] { texts(of: note) }

  private func storedTexts() throws -> [String] {
    let context = stack.anotherContext()
    return try withExtendedLifetime(context) {
      texts(of: try context.existingObject(with: note.objectID))
    }
  }

  @Test(arguments: [true, false])
  func `members are back in a list that was unread at their deletion`(isMerged: Bool) throws {
    let context = stack.anotherContext()
    context.undoManager = ContextUndoManager()
    let own = try context.existingObject(with: note.objectID)
    if isMerged {
      own.remove(try context.existingObject(with: tags[3].objectID), from: Self.sources)
    }
    context.processPendingChanges()
    context.delete(try context.existingObject(with: tags[1].objectID))
    if isMerged { try context.refreshAllObjects() }
    let left = isMerged ? ["0", "2"] : ["0", "2", "3"]
    #expect(texts(of: own) == left)
    #expect(own.hasChanges == isMerged)
    context.processPendingChanges()
    context.undo()
    try context.save()
    #expect(texts(of: own) == ["0", "1"] + left.dropFirst())
    #expect(try storedTexts() == ["0", "1"] + left.dropFirst())
  }

  @Test func `a member that is back can be removed before the list is read again`() throws {
    context.delete(tags[1])
    #expect(texts == ["0", "2", "3"])
    context.undo()
    note.add(tags[1], to: Self.sources)
    #expect(texts == ["0", "1", "2", "3"])
    context.delete(tags[1])
    #expect(texts == ["0", "2", "3"])
    context.undo()
    note.remove(tags[1], from: Self.sources)
    try context.save()
    #expect(texts == ["0", "2", "3"])
    #expect(try storedTexts() == ["0", "2", "3"])
  }

  @Test func `an object that a merge policy brings back is a member again`() throws {
    context.mergePolicy = .mergeByPropertyObjectTrump
    tags[1].setValue("ours", forKey: "text")
    #expect(texts == ["0", "ours", "2", "3"])
    let rival = stack.anotherContext()
    rival.delete(try rival.existingObject(with: tags[1].objectID))
    try rival.save()
    try context.save()
    #expect(try storedTexts() == ["0", "ours", "2", "3"])
    #expect(texts == ["0", "ours", "2", "3"])
  }

  @Test(arguments: [true, false])
  func `the save counts the members without the deleted ones`(isRead: Bool) throws {
    let stack = try Stack(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Note",
          properties: [
            .relationship(
              RelationshipDescription(
                name: "sources", destinationEntityName: "Tag", isOptional: false, minCount: 1,
                maxCount: 0))
          ]), EntityDescription(name: "Tag"),
      ]))
    let note = ManagedObject("Note", in: stack.context)
    let tag = ManagedObject("Tag", in: stack.context)
    note.add(tag, to: Self.sources)
    try stack.context.save()
    stack.context.delete(tag)
    if isRead { #expect(note.unorderedToMany(at: Self.sources).isEmpty) }
    #expect(throws: ValidationError.self) { try stack.context.save() }
  }

  @Test func `reading a list without its deleted members changes nothing`() throws {
    context.delete(tags[1])
    #expect(texts == ["0", "2", "3"])
    context.processPendingChanges()
    #expect(!note.hasChanges)
    #expect(note.committedValues(forKeys: ["sources"])["sources"] != nil)
    try context.save()
    #expect(texts == ["0", "2", "3"])
    #expect(try storedTexts() == ["0", "2", "3"])
  }

  @Test(arguments: [true, false])
  func `members are back at their positions when deletions are undone one by one`(
    isReadBetween: Bool
  ) throws {
    for index in [1, 3, 2] {
      context.delete(tags[index])
      context.processPendingChanges()
      if isReadBetween { _ = texts }
    }
    #expect(texts == ["0"])
    context.undo()
    #expect(texts == ["0", "2"])
    context.undo()
    #expect(texts == ["0", "2", "3"])
    context.undo()
    #expect(texts == ["0", "1", "2", "3"])
    context.redo()
    #expect(texts == ["0", "2", "3"])
    context.undo()
    try context.save()
    #expect(try storedTexts() == ["0", "1", "2", "3"])
  }

  @Test func `a rollback brings deleted members back, in a changed list too`() throws {
    context.delete(tags[1])
    #expect(texts == ["0", "2", "3"])
    context.rollback()
    #expect(texts == ["0", "1", "2", "3"])
    context.delete(tags[1])
    #expect(texts == ["0", "2", "3"])
    note.remove(tags[0], from: Self.sources)
    context.rollback()
    #expect(texts == ["0", "1", "2", "3"])
    try context.save()
    #expect(try storedTexts() == ["0", "1", "2", "3"])
  }

  @Test func `a member that was added, deleted and brought back is saved`() throws {
    let new = ManagedObject("Tag", in: context)
    new.setValue("new", forKey: "text")
    try context.save()
    undoManager.removeAllActions()
    note.insert(new, at: 1, into: Self.sources)
    context.processPendingChanges()
    context.delete(new)
    #expect(texts == ["0", "1", "2", "3"])
    context.undo()
    try context.save()
    #expect(try storedTexts() == ["0", "new", "1", "2", "3"])
  }

  @Test(arguments: [true, false])
  func `undoing a saved deletion stores the link again`(isRead: Bool) throws {
    _ = texts
    context.delete(tags[1])
    if isRead { _ = texts }
    try context.save()
    if isRead { #expect(texts == ["0", "2", "3"]) }
    context.undo()
    try context.save()
    #expect(texts == ["0", "1", "2", "3"])
    #expect(try storedTexts() == ["0", "1", "2", "3"])
    context.redo()
    try context.save()
    #expect(texts == ["0", "2", "3"])
    #expect(try storedTexts() == ["0", "2", "3"])
  }
}
