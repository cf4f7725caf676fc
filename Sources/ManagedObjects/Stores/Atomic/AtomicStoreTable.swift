public import DataModel
import DataFormats

/// The objects of one entity of an ``AtomicStore`` as a table: a row for each object, a column for
/// each of some properties.
///
///     // In load():
///     var table = try AtomicStoreTable(of: dogEntity, columns: ["name", "birthday"], in: notesStore)
///     for (number, name) in [(1, "Fido"), (2, "Rex")] {
///       try table.set(.string(name), at: 0)
///       try table.addRow(table.objectID(for: ReferenceObject(number)))
///     }
///
///     // In save():
///     for row in table.rows { print(row.objectID, row.value(at: 0) ?? .null) }
///
/// An alternative to ``AtomicStoreCacheNode``s for stores with many objects in tables; it needs
/// less time and memory: names are looked up once, values are not kept in dictionaries, and an
/// object gets a node only on demand. A store may use both. The columns may be those of a file, in
/// its order; other properties get no value.
public struct AtomicStoreTable {
  /// The entity; objects of its subentities belong in tables of their own.
  public let entity: EntityDescription
  let layout: Layout
  private var draft = RowDraft()
  private var lists: [CustomStore.List] = []

  /// The resolved columns.
  final class Layout {
    let store: AtomicStore
    let binding: EntityBinding
    let names: [String]
    let columns: [Column]

    init(_ binding: EntityBinding, _ names: [String], _ columns: [Column], _ store: AtomicStore) {
      (self.binding, self.names, self.columns, self.store) = (binding, names, columns, store)
    }
  }

  /// A resolved property.
  enum Column {
    case attribute(AttributeDescription.AttributeType, slot: Int)
    case toOne(EntityBinding.ToOne)
    case toMany(EntityBinding.ToMany)
  }

  /// Creates a table of the objects in a store, or for loading objects into it.
  ///
  /// - Parameters:
  ///   - entity: the entity of all its objects.
  ///   - names: the names of stored properties, one for each column.
  ///   - store: the store.
  /// - Throws: `PersistentStoreError.invalidStore` if the entity has no such stored property.
  /// - Precondition: the store has the entity, and it is not abstract.
  public init(of entity: EntityDescription, columns names: [String], in store: AtomicStore) throws {
    let binding = store.binding(of: entity)
    require(!binding.isAbstract, "The entity \(entity.name) is abstract: it has no objects.")
    let columns = try names.map { name -> Column in
      guard let column = binding.column(named: name) else {
        throw store.invalid("it returned \(entity.name).\(name), which the model does not have")
      }
      return column
    }
    self.entity = entity
    layout = Layout(binding, names, columns, store)
    draft.begin(slotCount: binding.slotCount)
  }

  /// The ID of the object that the store identifies by a reference, equal to
  /// ``CustomStore/objectID(for:referenceObject:)``.
  public func objectID(for reference: ReferenceObject) -> ManagedObjectID {
    let binding = layout.binding
    return ManagedObjectID(
      binding: binding, key: layout.store.references.key(of: reference, entity: binding.index))
  }

  // MARK: Loading

  /// Sets a value of the next row.
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if it does not have the property's type.
  public mutating func set(_ value: PropertyValue, at column: Int) throws {
    let store = layout.store
    switch (layout.columns[column], value) {
    case (.attribute(let type, let slot), .attribute(let given)):
      guard let fitting = given.storedFitting(type) else {
        throw store.unfitting(value, type, layout.names[column], of: layout.binding)
      }
      draft.set(fitting, at: slot)
    case (_, .null): break
    case (.toOne, .toOne(let id)): try set(id, position: nil, at: column)
    case (.toMany(let toMany), .toMany(let ids)):
      let name = layout.names[column]
      lists.append(
        (
          toMany,
          try ids.map { try store.key(of: $0, as: toMany.destination, layout.binding, name) }
        ))
    case (.attribute, _): throw unfitting(value, "an attribute", column)
    case (.toOne, _): throw unfitting(value, "a to-one", column)
    case (.toMany, _): throw unfitting(value, "a to-many", column)
    }
  }

  /// Sets a text of the next row without creating a `String`.
  ///
  ///     try table.set(utf8: Array("Fido".utf8).span, at: 0)
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if the property is not a String or the bytes
  ///   are not valid UTF-8.
  public mutating func set(utf8 text: Span<UInt8>, at column: Int) throws {
    guard case .attribute(.string, let slot) = layout.columns[column] else {
      let string = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      return try set(.string(string), at: column)
    }
    guard text.isUTF8 else {
      throw layout.store.invalid(
        "it returned bytes for \(entity.name).\(layout.names[column]) that are not UTF-8")
    }
    draft.set(text: text, at: slot)
  }

  /// Sets the destination of a to-one of the next row.
  ///
  /// - Parameters:
  ///   - object: the destination.
  ///   - position: the position of the row's object in the destination's ordered to-many,
  ///     relative to other objects with the same destination; objects without one come last, and
  ///     ties keep the order of the rows.
  ///   - column: the column, counted from 0.
  /// - Throws: `PersistentStoreError.invalidStore` if the property is not a to-one with such a
  ///   destination.
  public mutating func set(
    _ object: ManagedObjectID, position: Int64?, at column: Int
  ) throws {
    guard case .toOne(let toOne) = layout.columns[column] else {
      return try set(.toOne(object), at: column)
    }
    try layout.store.set(toOne, to: object, of: layout.binding, in: &draft)
    if let position, let slot = toOne.orderKeySlot {
      draft.set(UInt64(bitPattern: position), at: slot)
    }
  }

  /// Adds the next row as an object with the values set so far; call it while the store loads.
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if the object was already added.
  /// - Precondition: the ID belongs to the store and has the table's entity.
  public mutating func addRow(_ objectID: ManagedObjectID) throws {
    require(
      objectID.binding === layout.binding && !objectID.isTemporaryID,
      "\(objectID) is not an object of this table.")
    try layout.store.rows.add(objectID, draft.makeRow(), lists)
    draft.begin(slotCount: layout.binding.slotCount)
    if !lists.isEmpty { lists = [] }
  }

  private func unfitting(
    _ value: PropertyValue, _ kind: String, _ column: Int
  ) -> PersistentStoreError {
    layout.store.invalid(
      "it returned \(value.kind) for \(entity.name).\(layout.names[column]), which is \(kind)")
  }
}

@available(*, unavailable) extension AtomicStoreTable: Sendable {}
@available(*, unavailable) extension AtomicStoreTable.Layout: Sendable {}

extension EntityBinding {
  /// The stored property with a name; nil if there is none.
  fileprivate func column(named name: String) -> AtomicStoreTable.Column? {
    if let number = toManysByName[name] { return .toMany(toManys[number]) }
    guard let slot = slotsByName[name], slot < storedSlotCount else { return nil }
    if case .attribute(let attribute) = slots[slot] {
      return .attribute(attribute.type, slot: slot)
    }
    return toOnesBySlot[slot].map { .toOne($0) }
  }
}
