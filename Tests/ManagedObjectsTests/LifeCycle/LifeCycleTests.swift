import Foundation
import ManagedObjects
import Testing

/// The life-cycle methods that objects receive.
@Suite struct LifeCycleTests {
  typealias Book = Journal.Book
  typealias Entry = Journal.Entry

  @Test(arguments: Stack.allTypes)
  func `an object is notified when it is inserted and when it is saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = Entry(context: stack.context)
    #expect(entry.events == ["awakeFromInsert"])
    try stack.context.save()
    #expect(entry.events == ["awakeFromInsert", "willSave", "didSave"])
    try stack.context.save()
    #expect(entry.events.count == 3)
    entry.text = "changed"
    try stack.context.save()
    #expect(entry.events.dropFirst(3) == ["willSave", "didSave"])
    stack.context.delete(entry)
    try stack.context.save()
    #expect(entry.events.dropFirst(5) == ["prepareForDeletion", "willSave", "didSave"])
  }

  @Test(arguments: Stack.allTypes)
  func `a failed save does not call didSave`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = Entry(context: stack.context)
    Book(context: stack.context).setPrimitiveValue(nil, forKey: "entryCount")
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(entry.events == ["awakeFromInsert", "willSave"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object is notified once when it is fetched, and stays unchanged by what it then sets`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    _ = try stack.entry("four")
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let found = try #require(try context.fetch(Entry.fetchRequest()).first)
    #expect(try context.fetch(Entry.fetchRequest()).first === found)
    #expect(found.events == ["awakeFromFetch"])
    #expect(found.length == 4 && !context.hasChanges && !found.hasChanges)
    found.text = "seven"
    context.rollback()
    #expect(found.text == "four" && found.length == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `a fault is notified when its values are read`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let id = try stack.entry("four").objectID
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let fault = try #require(context.object(with: id) as? Entry)
    #expect(fault.isFault && fault.events.isEmpty)
    #expect(fault.length == 4)
    #expect(fault.events == ["awakeFromFetch"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object may fetch others while it is notified`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Curious.model)
    let first = Curious(context: stack.context)
    first.setValue(Curious(context: stack.context), forKey: "next")
    try stack.context.save()
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let found = try context.fetch(Curious.fetchRequest())
    #expect(found.map(\.seen) == [2, 2])
  }

  /// Counts the objects of its entity when it is fetched.
  final class Curious: ManagedObject {
    static let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Curious", properties: [.toOne("next", "Curious", back: nil)])
      ],
      classes: ["Curious": Curious.self])
    var seen = 0

    override func awakeFromFetch() {
      let found = try? managedObjectContext?.fetch(Curious.fetchRequest())
      seen = found?.count ?? 0
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a rollback notifies the objects that it restored`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Journal.model)
    let entry = try stack.entry("four")
    entry.text = "seven letters"
    stack.context.rollback()
    #expect(entry.events == ["awake(\(SnapshotEventType.rollback.rawValue))"])
    #expect(entry.length == 4 && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `an object can still access its relationships in prepareForDeletion`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Journal.model)
    let book = Book(context: stack.context)
    let entries = try (0..<3).map { _ in try stack.entry("text") }
    book.entries = OrderedSet(entries)
    book.entryCount = 3
    try stack.context.save()
    for entry in entries {
      entry.beforeDeletion = { entry in
        // In a chain of deletes, called once only.
        entry.managedObjectContext?.delete(entry)
        #expect(!entry.isDeleted && entry.book?.entries.contains(entry) == true)
        entry.book?.entryCount -= 1
      }
    }
    stack.context.delete(entries[0])
    stack.context.delete(entries[0])
    #expect(book.entryCount == 2 && book.entries.array == [entries[1], entries[2]])
    #expect(entries[0].events.suffix(1) == ["prepareForDeletion"] && entries[0].isDeleted)
    try stack.context.save()
    #expect(try stack.reread(Book.self).map(\.entryCount) == [2])
    #expect(try stack.reread(Entry.self).count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `classes that override nothing are not called`(type: PersistentStore.StoreType) throws {
    // Nor may the calls be left out for other objects.
    let stack = try Stack(type, model: Journal.model)
    let book = Book(context: stack.context)
    try stack.context.save()
    #expect(book.events == ["willSave"])
    let again = try #require(try stack.reread(Book.self).first)
    #expect(again.events.isEmpty)
  }
}
