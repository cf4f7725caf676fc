import Foundation
import ManagedObjects
import Testing

/// How objects are notified when their values are restored, or adopted from elsewhere.
@Suite struct SnapshotEventTests {
  typealias Book = Journal.Book
  typealias Entry = Journal.Entry

  private func told(_ events: SnapshotEventType) -> String { "awake(\(events.rawValue))" }

  // MARK: Undoing

  @Test(arguments: Stack.allTypes)
  func `undoing and redoing a change recomputes derived values`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    stack.context.undoManager = ContextUndoManager()
    entry.text = "seven"
    stack.context.processPendingChanges()
    for _ in 0..<2 {
      entry.events = []
      stack.context.undo()
      #expect(entry.events == [told(.undoUpdate)])
      #expect(entry.text == "four" && entry.length == 4)
      // Values that the object computes itself are no change.
      #expect(!entry.hasChanges && !stack.context.hasChanges)
      stack.context.redo()
      #expect(entry.events == [told(.undoUpdate), told(.undoUpdate)])
      #expect(entry.text == "seven" && entry.length == 5 && entry.isUpdated)
    }
    try stack.context.save()
    #expect(try stack.reread(Entry.self).map(\.text) == ["seven"])
    stack.context.undo()
    #expect(entry.text == "four" && entry.length == 4 && entry.isUpdated)
  }

  @Test(arguments: Stack.allTypes)
  func `a transient value set by hand is restored by a rollback after an undo`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    stack.context.undoManager = ContextUndoManager()
    entry.length = 99
    stack.context.processPendingChanges()
    #expect(stack.context.hasChanges)
    stack.context.undo()
    #expect(entry.length == 4 && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `undoing and redoing a deletion`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    stack.context.undoManager = ContextUndoManager()
    stack.context.delete(entry)
    stack.context.processPendingChanges()
    entry.events = []
    stack.context.undo()
    #expect(entry.events == [told(.undoDeletion)] && !stack.context.hasChanges)
    entry.events = []
    stack.context.redo()
    #expect(entry.isDeleted && entry.events.last == told(.undoInsertion))
    try stack.context.save()
    entry.events = []
    stack.context.undo()
    #expect(entry.events == [told(.undoDeletion)] && entry.isInserted && entry.length == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `undoing a deletion notifies objects whose relationships are restored`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    let book = Book(context: stack.context)
    entry.book = book
    try stack.context.save()
    stack.context.undoManager = ContextUndoManager()
    stack.context.delete(book)
    stack.context.processPendingChanges()
    entry.events = []
    stack.context.undo()
    #expect(entry.events == [told(.undoUpdate)] && entry.book === book)
  }

  @Test(arguments: Stack.allTypes)
  func `undoing and redoing an insertion, saved or not`(
    type: PersistentStore.StoreType
  ) throws {
    for isSaved in [false, true] {
      let stack = try Stack(type, model: Journal.model)
      stack.context.undoManager = ContextUndoManager()
      let entry = Entry(context: stack.context)
      entry.text = "four"
      stack.context.processPendingChanges()
      if isSaved { try stack.context.save() }
      entry.events = []
      stack.context.undo()
      #expect(entry.events.last == told(.undoInsertion))
      #expect(isSaved ? entry.isDeleted : !entry.isInserted)
      entry.events = []
      stack.context.redo()
      #expect(entry.events == [told(.undoDeletion)] && entry.length == 4)
      #expect(entry.isInserted != isSaved && !entry.isDeleted)
    }
  }

  // MARK: Other causes

  @Test(arguments: Stack.allTypes)
  func `a rollback notifies a deleted object once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    entry.text = "seven"
    stack.context.delete(entry)
    entry.events = []
    stack.context.rollback()
    #expect(entry.events == [told(.rollback)] && entry.text == "four" && entry.length == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `a refresh and a merge notify objects with values, and no faults`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entries = try ["four", "fault"].map { try stack.entry($0) }
    try stack.context.refresh(entries[1], mergeChanges: false)
    #expect(entries[1].isFault && entries[1].events.isEmpty)
    entries[0].revision = 1
    try stack.context.refresh(entries[0], mergeChanges: true)
    #expect(entries[0].events == [told(.refresh)] && entries[0].revision == 1)
    try stack.context.refreshAllObjects()
    #expect(entries[0].events == [told(.refresh), told(.refresh)])

    let rival = stack.anotherContext()
    stack.rereading.append(rival)
    for entry in try rival.fetch(Entry.fetchRequest()) { entry.text = "theirs" }
    var saved = ChangedObjectIDs()
    let observation = rival.observe(.didSave) { saved = $0.objectIDs }
    try rival.save()
    observation.cancel()
    entries[0].events = []
    try stack.context.mergeChanges(from: saved)
    #expect(entries[0].events == [told(.refresh)])
    #expect(entries[0].text == "theirs" && entries[0].length == 6 && entries[0].revision == 1)
    #expect(entries[1].isFault && entries[1].events.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a refresh notifies an object whose row is gone of its deletion`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    let rival = stack.anotherContext()
    rival.delete(try rival.existingObject(with: entry.objectID))
    try rival.save()
    try stack.context.refresh(entry, mergeChanges: true)
    #expect(entry.events == ["prepareForDeletion"] && entry.isDeleted)
    try stack.context.save()
    #expect(entry.managedObjectContext == nil && !entry.events.contains { $0.hasPrefix("awake") })
  }

  @Test(arguments: Stack.allTypes)
  func `a merge policy notifies the objects that it gave other values`(
    type: PersistentStore.StoreType
  ) throws {
    let policies: [(MergePolicy, Bool)] = [
      (.mergeByPropertyObjectTrump, true), (.mergeByPropertyStoreTrump, true), (.rollback, true),
      (.overwrite, false),
    ]
    for (policy, isTold) in policies {
      let stack = try Stack(type, model: Journal.model)
      let entry = try stack.entry("four")
      let rival = stack.anotherContext()
      try #require(rival.existingObject(with: entry.objectID) as? Entry).text = "theirs"
      try rival.save()
      entry.revision = 7
      stack.context.mergePolicy = policy
      try stack.context.save()
      #expect(entry.events.contains(told(.mergePolicy)) == isTold, "\(policy.mergeType)")
      #expect(entry.text == (isTold ? "theirs" : "four") && !stack.context.hasChanges)
      if isTold { #expect(entry.length == 6, "\(policy.mergeType)") }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `an object that adopts another's values in a save is notified`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Tag.model)
    let tag = Tag(context: stack.context)
    tag.setValue("red", forKey: "name")
    try stack.context.save()
    let twin = Tag(context: stack.context)
    twin.setValuesForKeys(["name": "red", "size": 3])
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    try stack.context.save()
    #expect(tag.events == [.mergePolicy] && tag.value(forKey: "size") as? Int16 == 3)
    #expect(twin.managedObjectContext == nil)
  }

  final class Tag: ManagedObject {
    static let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Tag", properties: [.value("name", .string), .value("size", .integer16)],
          uniquenessConstraints: [["name"]])
      ], classes: ["Tag": Tag.self])
    var events: [SnapshotEventType] = []

    override func awake(fromSnapshotEvents flags: SnapshotEventType) { events.append(flags) }
  }
}
