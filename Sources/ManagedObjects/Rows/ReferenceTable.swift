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
  /// How many contexts have the object of a key, and which keys have come and gone since that was
  /// last told.
  private var contextCounts: [Int64: Int] = [:]
  private var changedKeys: [Int64: Bool] = [:]
  /// Whether the store is asked for what is needed, and told who is registered.
  private(set) var isIncremental = false

  /// Called before anybody else has the store.
  func noteIncremental() { isIncremental = true }

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

  // MARK: Registered objects

  /// Notes that a context has come to have an object.
  func didRegister(_ key: Int64) {
    lock.withLock {
      contextCounts[key, default: 0] += 1
      if contextCounts[key] == 1, changedKeys.updateValue(true, forKey: key) != nil {
        changedKeys[key] = nil
      }
    }
  }

  /// Notes that a context has an object no more.
  func didUnregister(_ key: Int64) {
    lock.withLock {
      guard let count = contextCounts[key] else { return }
      contextCounts[key] = count > 1 ? count - 1 : nil
      if count == 1, changedKeys.updateValue(false, forKey: key) != nil { changedKeys[key] = nil }
    }
  }

  /// The keys of the objects that contexts have now, and did not have when this was last asked, and the
  /// other way round; nil where there are none.
  func takeRegistrations() -> (registered: [Int64], unregistered: [Int64])? {
    lock.withLock {
      guard !changedKeys.isEmpty else { return nil }
      let changes = changedKeys.sorted { $0.key < $1.key }
      changedKeys = [:]
      return (changes.filter(\.value).map(\.key), changes.filter { !$0.value }.map(\.key))
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
