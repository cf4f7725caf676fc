import Foundation
import ManagedObjects
import Testing

/// Objects that change objects in willSave.
@Suite struct WillSaveTests {
  typealias Book = Journal.Book
  typealias Entry = Journal.Entry

  private static let moment = Date(timeIntervalSinceReferenceDate: 60)

  @Test(arguments: Stack.allTypes)
  func `primitive values set in willSave are saved, and do not call it again`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = Entry(context: stack.context)
    entry.beforeSave = { $0.setPrimitiveValue(Self.moment, forKey: "modified") }
    try stack.context.save()
    #expect(entry.events == ["awakeFromInsert", "willSave", "didSave"])
    #expect(try stack.reread(Entry.self).map(\.modified) == [Self.moment])

    entry.beforeSave = { $0.setPrimitiveValue(nil, forKey: "modified") }
    entry.text = "changed"
    try stack.context.save()
    #expect(entry.events.dropFirst(3) == ["willSave", "didSave"])
    #expect(try stack.reread(Entry.self).map(\.modified) == [nil])
  }

  @Test(arguments: Stack.allTypes)
  func `an object with only a changed list can set a value too`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let book = Book(context: stack.context)
    let entry = Entry(context: stack.context)
    try stack.context.save()
    entry.beforeSave = { entry in
      entry.book?.setPrimitiveValue(entry.book?.entries.count, forKey: "entryCount")
    }
    book.entries = [entry]
    try stack.context.save()
    #expect(try stack.reread(Book.self).map(\.entryCount) == [1])
  }

  @Test(arguments: Stack.allTypes)
  func `a change through a property calls willSave again, until nothing changes`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = Entry(context: stack.context)
    entry.beforeSave = { if ($0.revision ?? 0) < 3 { $0.revision = ($0.revision ?? 0) + 1 } }
    try stack.context.save()
    #expect(entry.events.count { $0 == "willSave" } == 4)
    #expect(try stack.reread(Entry.self).map(\.revision) == [3])
    entry.beforeSave = { if $0.revision != 9 { $0.revision = 9 } }
    entry.text = "changed"
    try stack.context.save()
    #expect(entry.events.suffix(3) == ["willSave", "willSave", "didSave"])
    #expect(try stack.reread(Entry.self).map(\.revision) == [9])
  }

  @Test(arguments: Stack.allTypes)
  func `objects that others insert, change and delete are notified and saved too`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, entry, old) = (
      Book(context: stack.context), Entry(context: stack.context), Entry(context: stack.context)
    )
    try stack.context.save()
    book.events = []
    old.events = []
    entry.beforeSave = { entry in
      guard entry.book == nil, let context = entry.managedObjectContext else { return }
      entry.book = book
      book.title = "Changed"
      context.delete(old)
      Entry(context: context).text = "new"
    }
    entry.text = "changed"
    try stack.context.save()
    #expect(book.events == ["willSave"])
    #expect(old.events == ["prepareForDeletion", "willSave", "didSave"])
    let books = try stack.reread(Book.self)
    #expect(books.map(\.title) == ["Changed"] && books[0].entries.map(\.text) == ["changed"])
    #expect(try stack.reread(Entry.self).map(\.text) == ["changed", "new"])
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `values set in willSave are kept for the next attempt when the save fails`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = Entry(context: stack.context)
    entry.beforeSave = { if $0.revision == nil { $0.revision = 1 } }
    let book = Book(context: stack.context)
    book.setValue(nil, forKey: "entryCount")
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(entry.revision == 1 && entry.isInserted)
    book.entryCount = 0
    try stack.context.save()
    #expect(try stack.reread(Entry.self).map(\.revision) == [1])
  }

  @Test func `an object that never stops changing itself traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Journal.model)
      let entry = Entry(context: stack.context)
      entry.beforeSave = { $0.revision = ($0.revision ?? 0) + 1 }
      try stack.context.save()
    }
    #expect(said("Entry.willSave changes objects each time it is called", result))
  }
}
