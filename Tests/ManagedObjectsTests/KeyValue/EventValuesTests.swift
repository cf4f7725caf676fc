import Foundation
import ManagedObjects
import Testing

/// Changes since the last event.
@Suite struct EventValuesTests {
  typealias Book = Journal.Book
  typealias Entry = Journal.Entry

  private func book(in stack: Stack) throws -> (Book, [Entry]) {
    let book = Book(context: stack.context)
    book.title = "First"
    let entries = ["a", "b", "c"].map { text in
      let entry = Entry(context: stack.context)
      entry.text = text
      return entry
    }
    book.entries = OrderedSet(entries)
    try stack.context.save()
    return (book, entries)
  }

  @Test(arguments: Stack.allTypes)
  func `values from before the event are returned, and none older`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, _) = try book(in: stack)
    #expect(book.changedValuesForCurrentEvent().isEmpty)
    book.title = "Second"
    #expect(book.changedValuesForCurrentEvent() as? [String: String] == ["title": "First"])
    for (old, new) in [("Second", "Third"), ("Third", "Fourth")] {
      stack.context.processPendingChanges()
      #expect(book.changedValuesForCurrentEvent().isEmpty)
      book.title = new
      #expect(book.changedValuesForCurrentEvent() as? [String: String] == ["title": old])
    }
    #expect(book.changedValues() as? [String: String] == ["title": "Fourth"])
    book.entryCount = 5
    #expect(book.changedValuesForCurrentEvent().keys.sorted() == ["entryCount", "title"])
    book.title = "Third"
    #expect(book.changedValuesForCurrentEvent() as? [String: Int32] == ["entryCount": 0])
    try stack.context.save()
    #expect(book.changedValuesForCurrentEvent().isEmpty)
    book.title = nil
    #expect(book.changedValuesForCurrentEvent() as? [String: String] == ["title": "Third"])
    stack.context.rollback()
    #expect(book.changedValuesForCurrentEvent().isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an observer sees the changes of each event`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, _) = try book(in: stack)
    var told: [[String: Any?]] = []
    let observation = stack.context.observe(.objectsDidChange) { changes in
      told += changes.updated.map { $0.changedValuesForCurrentEvent() }
    }
    defer { observation.cancel() }
    for title in ["Second", "Third"] {
      book.title = title
      stack.context.processPendingChanges()
    }
    book.title = "Fourth"
    try stack.context.save()
    book.entryCount = 1
    stack.context.processPendingChanges()
    #expect(told.map { $0["title"] as? String } == ["First", "Second", "Third", nil])
    #expect(told.map { $0.count } == [1, 1, 1, 1] && told[3]["entryCount"] as? Int32 == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `an observer's changes are an event of their own`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, _) = try book(in: stack)
    var told: [[String: Any?]] = []
    let observation = stack.context.observe(.objectsDidChange) { changes in
      told += changes.updated.map { $0.changedValuesForCurrentEvent() }
      if book.title == "Second" { book.title = "Third" }
    }
    defer { observation.cancel() }
    book.title = "Second"
    stack.context.processPendingChanges()
    #expect(told as? [[String: String]] == [["title": "First"], ["title": "Second"]])
    #expect(book.changedValuesForCurrentEvent().isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `relationships are returned with their former objects`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Journal.model)
    let (book, entries) = try book(in: stack)
    let other = Book(context: stack.context)
    stack.context.processPendingChanges()
    entries[1].book = other
    entries[2].book = nil
    let old = book.changedValuesForCurrentEvent()
    #expect((old["entries"] as? OrderedSet<ManagedObject>)?.array == entries)
    #expect(entries[1].changedValuesForCurrentEvent() as? [String: Book] == ["book": book])
    #expect(other.changedValuesForCurrentEvent().keys.sorted() == ["entries"])

    stack.context.processPendingChanges()
    book.insert(entries[2], at: 0, into: PropertySlot(-1, "entries"))
    #expect(
      (book.changedValuesForCurrentEvent()["entries"] as? OrderedSet<ManagedObject>)?.array
        == [entries[0]])
    let none = entries[2].changedValuesForCurrentEvent()
    #expect(none.keys.sorted() == ["book"] && none["book"] as? Book == nil)

    stack.context.processPendingChanges()
    book.entries = OrderedSet([entries[0], entries[2]])
    #expect(
      (book.changedValuesForCurrentEvent()["entries"] as? OrderedSet<ManagedObject>)?.array
        == [entries[2], entries[0]])
    book.entries = OrderedSet([entries[2], entries[0]])
    #expect(book.changedValuesForCurrentEvent().isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a new object had no values before its event`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    for _ in 0..<2 {
      let entry = Entry(context: stack.context)
      entry.text = "a"
      let values = entry.changedValuesForCurrentEvent()
      #expect(values.keys.sorted() == ["text"] && values["text"] as? String == nil)
      stack.context.processPendingChanges()
      #expect(entry.changedValuesForCurrentEvent().isEmpty)
      entry.text = "b"
      #expect(entry.changedValuesForCurrentEvent() as? [String: String] == ["text": "a"])
      stack.context.processPendingChanges()
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a failed save has ended the event`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, _) = try book(in: stack)
    book.title = "Second"
    book.setValue(nil, forKey: "entryCount")
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(book.changedValuesForCurrentEvent().isEmpty)
    book.entryCount = 2
    let values = book.changedValuesForCurrentEvent()
    #expect(values.keys.sorted() == ["entryCount"] && values["entryCount"] as? Int32 == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `former objects have got their rows since`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (_, entries) = try book(in: stack)
    let other = Book(context: stack.context)
    entries[0].book = other
    stack.context.processPendingChanges()
    entries[0].book = nil
    try stack.context.obtainPermanentIDs(for: [other])
    #expect(entries[0].changedValuesForCurrentEvent()["book"] as? Book === other)
  }

  @Test(arguments: Stack.allTypes)
  func `an undo is a change like any other`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, entries) = try book(in: stack)
    stack.context.undoManager = ContextUndoManager()
    book.title = "Second"
    stack.context.delete(entries[0])
    stack.context.processPendingChanges()
    stack.context.undo()
    let values = book.changedValuesForCurrentEvent()
    #expect(values["title"] as? String == "Second")
    #expect(
      (values["entries"] as? OrderedSet<ManagedObject>)?.array == [entries[1], entries[2]])
  }
}
