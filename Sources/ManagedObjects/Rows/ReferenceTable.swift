/// The keys that represent a store's reference objects, each assigned when first needed.
///
/// Keys are unique across all entities, and kept as long as the store: one for a number takes 60
/// bytes, one for a text 100 and the text itself.
final class ReferenceTable: @unchecked Sendable {
  private struct Entry: Hashable {
    let reference: ReferenceObject
    /// The index of the entity.
    let entity: Int32
  }

  private let lock = Lock()
  // Guarded by the lock.
  /// The keys of numeric references by entity index; a store that numbers its objects has many of
  /// them.
  private var keysOfNumbers: [Int: [Int64: Int64]] = [:]
  private var keysOfTexts: [Entry: Int64] = [:]
  private var entries: [Entry] = []
  /// The number of contexts that have registered the object of each key.
  ///
  /// `changedKeys` holds the keys that were registered (true) or unregistered (false) since
  /// `takeRegistrations()` was last called.
  private var contextCounts: [Int64: Int] = [:]
  private var changedKeys: [Int64: Bool] = [:]
  /// Whether the store is an ``IncrementalStore``: asked for values on demand and notified of
  /// registrations.
  private(set) var isIncremental = false

  /// Called before any other thread can access the store.
  func noteIncremental() { isIncremental = true }

  /// The key of a reference for an entity, subentities not included; assigned if it is new.
  func key(of reference: ReferenceObject, entity: Int) -> Int64 {
    lock.withLock {
      let entry = Entry(reference: reference, entity: Int32(entity))
      let next = Int64(entries.count + 1)
      let key =
        reference.number.map { keysOfNumbers[entity, default: [:]].key(of: $0, orNew: next) }
        ?? keysOfTexts.key(of: entry, orNew: next)
      if key == next { entries.append(entry) }
      return key
    }
  }

  /// All assigned keys, in ascending order.
  var allKeys: Range<Int64> { lock.withLock { 1..<Int64(entries.count + 1) } }

  // MARK: Registered objects

  /// Records that a context has registered an object.
  func didRegister(_ key: Int64) {
    lock.withLock {
      contextCounts[key, default: 0] += 1
      if contextCounts[key] == 1, changedKeys.updateValue(true, forKey: key) != nil {
        changedKeys[key] = nil
      }
    }
  }

  /// Records that a context has unregistered an object.
  func didUnregister(_ key: Int64) {
    lock.withLock {
      guard let count = contextCounts[key] else { return }
      contextCounts[key] = count > 1 ? count - 1 : nil
      if count == 1, changedKeys.updateValue(false, forKey: key) != nil { changedKeys[key] = nil }
    }
  }

  /// The keys whose objects were registered or unregistered in total since the last call; nil if
  /// there were no such changes.
  func takeRegistrations() -> (registered: [Int64], unregistered: [Int64])? {
    lock.withLock {
      guard !changedKeys.isEmpty else { return nil }
      let changes = changedKeys.sorted { $0.key < $1.key }
      changedKeys = [:]
      return (changes.filter(\.value).map(\.key), changes.filter { !$0.value }.map(\.key))
    }
  }

  /// The entity and reference of a key; nil for a key that was not assigned.
  subscript(key: Int64) -> (entity: Int, reference: ReferenceObject)? {
    lock.withLock {
      guard key > 0, key <= entries.count else { return nil }
      let entry = entries[Int(key) - 1]
      return (Int(entry.entity), entry.reference)
    }
  }
}

extension Dictionary where Value == Int64 {
  /// The key of a reference, which is assigned if it is new.
  fileprivate mutating func key(of reference: Key, orNew next: Int64) -> Int64 {
    // A single look-up, whether the reference is there or not.
    func taken(_ key: inout Int64) -> Int64 { key }
    return taken(&self[reference, default: next])
  }
}
