import SystemLibraries

/// The rows that a store must save.
extension AtomicStoreTable {
  /// The values of an object.
  public struct Row {
    /// The object's ID.
    public var objectID: ManagedObjectID { ManagedObjectID(binding: layout.binding, key: key) }
    fileprivate let key: Int64
    fileprivate let stored: InMemoryStore.StoredRow
    fileprivate let layout: Layout
  }

  /// The current rows of all objects, in the order in which they were added; later changes do not
  /// affect them.
  ///
  /// O(objects); does not access the disk.
  public var rows: [Row] {
    let binding = layout.binding
    let all = layout.store.rows.contents.rows[binding.root] ?? [:]
    var keys: [Int64] = []
    for (key, stored) in all where stored.entity === binding { keys.append(key) }
    keys.sort()
    return keys.compactMap { key in
      all[key].map { Row(key: key, stored: $0, layout: layout) }
    }
  }
}

extension AtomicStoreTable.Row {
  /// The value in a column; nil if there is none.
  public func value(at column: Int) -> PropertyValue? {
    let row = stored.row
    switch layout.columns[column] {
    case .attribute(let type, let slot):
      return row.value(at: slot, type: type).map { .attribute($0) }
    case .toOne(let toOne):
      guard row.hasValue(toOne.slot) else { return nil }
      return layout.store.objectID(of: row.integer(toOne.slot)).map { .toOne($0) }
    case .toMany(let toMany):
      return layout.store.rows.members(of: toMany, owner: key).map { .toMany($0) }
    }
  }

  /// Passes the UTF-8 of a text to a closure without creating a `String`; returns false if there is
  /// none.
  ///
  ///     for row in table.rows {
  ///       row.withUTF8(at: 0) { text in print(text.count) }
  ///     }
  @discardableResult
  public func withUTF8(at column: Int, _ body: (Span<UInt8>) throws -> Void) rethrows -> Bool {
    guard case .attribute(.string, let slot) = layout.columns[column], stored.row.hasValue(slot)
    else { return false }
    try stored.row.bytes(slot).withMemoryRebound(to: UInt8.self) { try body($0.span) }
    return true
  }

  /// The position, from 1, of the object in the ordered to-many that is the inverse of a to-one;
  /// nil if it has none.
  ///
  /// O(objects) on the first call after a change.
  public func position(at column: Int) -> Int? {
    guard case .toOne(let toOne) = layout.columns[column], stored.row.hasValue(toOne.slot) else {
      return nil
    }
    return layout.store.rows.position(of: key, toOne)
  }
}

@available(*, unavailable) extension AtomicStoreTable.Row: Sendable {}
