import Foundation
import ManagedObjects

/// Books of entries whose classes record what happens to them.
enum Journal {
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Book",
        properties: [
          .value("title", .string),
          .attribute(.init(name: "entryCount", type: .integer32, defaultValue: .integer(0))),
          .toMany("entries", "Entry", back: "book", isOrdered: true),
        ]),
      EntityDescription(
        name: "Entry",
        properties: [
          .value("text", .string), .value("modified", .date), .value("revision", .integer64),
          .value("length", .integer32, isTransient: true), .toOne("book", "Book", back: "entries"),
        ]),
    ], classes: ["Book": Book.self, "Entry": Entry.self])

  final class Book: ManagedObject {
    /// What happened, in order.
    var events: [String] = []

    var title: String? {
      get { optionalValue(at: PropertySlot(-1, "title")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "title")) }
    }
    var entryCount: Int32 {
      get { requiredValue(at: PropertySlot(-1, "entryCount")) }
      set { setRequiredValue(newValue, at: PropertySlot(-1, "entryCount")) }
    }
    var entries: OrderedSet<Entry> {
      get { orderedToMany(at: PropertySlot(-1, "entries")) }
      set { setOrderedToMany(newValue, at: PropertySlot(-1, "entries")) }
    }

    override func willSave() { events.append("willSave") }
  }

  final class Entry: ManagedObject {
    /// What happened, in order.
    var events: [String] = []
    /// Called in `willSave`.
    var beforeSave: (Entry) -> Void = { _ in }
    /// Called in `prepareForDeletion`.
    var beforeDeletion: (Entry) -> Void = { _ in }

    var text: String? {
      get { optionalValue(at: PropertySlot(-1, "text")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "text")) }
    }
    var modified: Date? {
      get { optionalValue(at: PropertySlot(-1, "modified")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "modified")) }
    }
    var revision: Int64? {
      get { optionalValue(at: PropertySlot(-1, "revision")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "revision")) }
    }
    var length: Int32? {
      get { optionalValue(at: PropertySlot(-1, "length")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "length")) }
    }
    var book: Book? {
      get { toOne(at: PropertySlot(-1, "book")) }
      set { setToOne(newValue, at: PropertySlot(-1, "book")) }
    }

    override func awakeFromInsert() { events.append("awakeFromInsert") }
    override func awakeFromFetch() {
      events.append("awakeFromFetch")
      length = text.map { Int32($0.count) }
    }
    override func awake(fromSnapshotEvents flags: SnapshotEventType) {
      events.append("awake(\(flags.rawValue))")
      length = text.map { Int32($0.count) }
    }
    override func willSave() {
      events.append("willSave")
      beforeSave(self)
    }
    override func didSave() { events.append("didSave") }
    override func prepareForDeletion() {
      events.append("prepareForDeletion")
      beforeDeletion(self)
    }
  }
}

extension Stack {
  /// A journal entry with a text, saved, and its record emptied.
  func entry(_ text: String) throws -> Journal.Entry {
    let entry = Journal.Entry(context: context)
    entry.text = text
    try context.save()
    entry.events = []
    return entry
  }
}
