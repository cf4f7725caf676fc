import SystemLibraries

/// What a store is to save.
extension AtomicStoreTable {
  /// An object's values.
  public struct Row {
    /// The object's ID.
    public var objectID: ManagedObjectID { ManagedObjectID(binding: layout.binding, key: key) }
    fileprivate let key: Int64
    fileprivate let stored: InMemoryStore.StoredRow
    fileprivate let layout: Layout
  }

  /// A row for each object, in the order in which they were added: what is there now, which no
  /// later change touches.
  ///
  /// O(objects), and the disk is not touched.
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
  /// What a property holds; nil where it holds nothing.
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

  /// Hands over a text, for which no `String` has to be made; false where there is none.
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

  /// Where the object stands in the ordered list of the object that a to-one leads to, from 1 on;
  /// nil where it has no order.
  ///
  /// O(objects) for the first one that is asked for after a change.
  public func position(at column: Int) -> Int? {
    guard case .toOne(let toOne) = layout.columns[column], stored.row.hasValue(toOne.slot) else {
      return nil
    }
    return layout.store.rows.position(of: key, toOne)
  }
}

@available(*, unavailable) extension AtomicStoreTable.Row: Sendable {}
