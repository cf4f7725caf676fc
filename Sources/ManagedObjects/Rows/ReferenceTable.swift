/// The keys that stand for a store's reference objects, each given when the reference is first met.
///
/// No two references have one key, whatever their entities. They stay as long as the store: an entry
/// costs about what its text does, and 100 bytes.
final class ReferenceTable: @unchecked Sendable {
  private struct Entry: Hashable {
    let entity: Int
    let reference: ReferenceObject
  }

  private let lock = Lock()
  // Guarded by the lock.
  private var keys: [Entry: Int64] = [:]
  private var entries: [Entry] = []

  /// The key of a reference among the objects of an entity itself.
  func key(of reference: ReferenceObject, entity: Int) -> Int64 {
    lock.withLock {
      let entry = Entry(entity: entity, reference: reference)
      if let known = keys[entry] { return known }
      entries.append(entry)
      keys[entry] = Int64(entries.count)
      return Int64(entries.count)
    }
  }

  /// What a key stands for; nil for one that was not given.
  subscript(key: Int64) -> (entity: Int, reference: ReferenceObject)? {
    lock.withLock {
      guard key > 0, key <= entries.count else { return nil }
      let entry = entries[Int(key) - 1]
      return (entry.entity, entry.reference)
    }
  }
}
