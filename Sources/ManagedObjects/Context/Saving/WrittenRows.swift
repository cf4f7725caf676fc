/// The indexes of objects' rows in the request of a save.
struct WrittenRows {
  private let inserted: [ManagedObject]
  private let updated: [ManagedObject]
  /// The index of each insert plus one, by its temporary key.
  private var inserts: PermanentKeys
  /// The rows of objects that have a permanent key; built when first needed.
  private lazy var others = RowsWithKeys(inserted, updated)

  /// - Parameters: the objects, in the order of the request.
  init(inserted: [ManagedObject], updated: [ManagedObject]) {
    self.inserted = inserted
    self.updated = updated
    inserts = PermanentKeys(for: inserted.lazy.map(\._key))
    for (index, object) in inserted.enumerated() where object._key < 0 {
      inserts[object._key] = Int64(index + 1)
    }
  }

  /// The row of an object; nil if the save does not write it.
  mutating func row(of object: ManagedObject) -> SaveRequest.WrittenRow? {
    guard object.isWritten else { return nil }
    if object._key < 0 { return inserts[object._key].map { .insert(Int($0) - 1) } }
    return others.rows[ObjectIdentifier(object)]
  }
}

/// The rows of objects with permanent keys.
///
/// A class, so that a save that needs none does not instantiate the dictionary's type, for which
/// the runtime searches the conformances of the whole program: a twentieth of a small command's
/// time.
private final class RowsWithKeys {
  private(set) var rows: [ObjectIdentifier: SaveRequest.WrittenRow] = [:]

  init(_ inserted: [ManagedObject], _ updated: [ManagedObject]) {
    for (index, object) in inserted.enumerated() where object._key > 0 {
      rows[ObjectIdentifier(object)] = .insert(index)
    }
    // An object without a snapshot has changed only in its lists.
    for (index, object) in updated.lazy.filter({ $0._side?.snapshot != nil }).enumerated() {
      rows[ObjectIdentifier(object)] = .update(index)
    }
  }
}

@available(*, unavailable) extension WrittenRows: Sendable {}
@available(*, unavailable) extension RowsWithKeys: Sendable {}
