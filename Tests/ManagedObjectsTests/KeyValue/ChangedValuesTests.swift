import Foundation
import ManagedObjects
import Testing

/// Changes since the last save, and the stored values.
@Suite struct ChangedValuesTests {
  typealias Book = Journal.Book
  typealias Entry = Journal.Entry

  private func book(in stack: Stack) throws -> (Book, [Entry]) {
    let book = Book(context: stack.context)
    book.title = "First"
    let entries = ["a", "b"].map { text in
      let entry = Entry(context: stack.context)
      entry.text = text
      return entry
    }
    book.entries = OrderedSet(entries)
    return (book, entries)
  }

  @Test(arguments: Stack.allTypes)
  func `a new object's changes are the values that are not defaults`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, entries) = try book(in: stack)
    #expect(book.changedValues().keys.sorted() == ["entries", "title"])
    #expect(book.changedValues()["title"] as? String == "First")
    #expect(entries[0].changedValues().keys.sorted() == ["book", "text"])
    #expect(book.committedValues(forKeys: nil).values.allSatisfy { $0 == nil })
    try stack.context.save()
    #expect(book.changedValues().isEmpty && !book.hasPersistentChangedValues)
  }

  @Test(arguments: Stack.allTypes)
  func `a change is returned with its value, and with the stored value`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, entries) = try book(in: stack)
    try stack.context.save()
    book.title = "Second"
    #expect(book.changedValues().keys.sorted() == ["title"])
    #expect(book.changedValues()["title"] as? String == "Second")
    #expect(book.committedValues(forKeys: ["title"])["title"] as? String == "First")
    book.title = nil
    let changed = book.changedValues()
    #expect(changed.keys.sorted() == ["title"] && changed["title"] as? String == nil)
    book.title = "First"
    #expect(book.changedValues().isEmpty && book.hasChanges && !book.hasPersistentChangedValues)

    entries[0].book = nil
    #expect(entries[0].changedValues().keys.sorted() == ["book"])
    #expect(entries[0].committedValues(forKeys: ["book"])["book"] as? Book === book)
    #expect(
      book.changedValues()["entries"] as? OrderedSet<ManagedObject> == [entries[1]])
    #expect(
      book.committedValues(forKeys: nil)["entries"] as? OrderedSet<ManagedObject>
        == [entries[0], entries[1]])
    #expect(Set(book.committedValues(forKeys: nil).keys) == ["title", "entryCount", "entries"])
    entries[1].length = 3
    #expect(entries[1].hasChanges && entries[1].changedValues().isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a stored list is known even if it was not read`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (first, entries) = try book(in: stack)
    try stack.context.save()
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let book = try #require(context.object(with: first.objectID) as? Book)
    #expect(book.changedValues().isEmpty && book.isFault)
    let entry = Entry(context: context)
    entry.book = book
    #expect(book.changedValues().keys.sorted() == ["entries"])
    let old = book.committedValues(forKeys: ["entries"])["entries"] as? OrderedSet<ManagedObject>
    #expect(old?.map(\.objectID) == entries.map(\.objectID))
    #expect(book.entries.count == 3)
  }

  @Test(arguments: Stack.allTypes)
  func `a primitive value set alone is no change`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, entries) = try book(in: stack)
    try stack.context.save()
    book.setPrimitiveValue("Quiet", forKey: "title")
    entries[0].setPrimitiveValue(nil, forKey: "book")
    #expect(book.title == "Quiet" && book.primitiveValue(forKey: "title") as? String == "Quiet")
    #expect(!stack.context.hasChanges && book.entries.count == 2)
    try stack.context.save()
    #expect(try stack.reread(Book.self)[0].title == "First")
    // Once the object is saved for another reason, the value is saved too.
    book.entryCount = 5
    #expect(book.changedValues().keys.sorted() == ["entryCount", "title"])
    try stack.context.save()
    #expect(try stack.reread(Book.self)[0].title == "Quiet")
  }

  @Test(arguments: Stack.allTypes)
  func `a custom accessor records its changes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let (book, _) = try book(in: stack)
    try stack.context.save()
    book.willChangeValue(forKey: "title")
    book.setPrimitiveValue("Loud", forKey: "title")
    book.didChangeValue(forKey: "title")
    #expect(stack.context.updatedObjects == [book])
    stack.context.rollback()
    book.willAccessValue(forKey: "title")
    #expect(book.primitiveValue(forKey: "title") as? String == "First")
    book.didAccessValue(forKey: "title")
  }
}
