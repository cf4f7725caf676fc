/// The keys that stand for a store's reference objects, each given when the reference is first met.
///
/// No two references have one key, whatever their entities. They stay as long as the store: a
/// number costs 60 bytes, a text 100 and its own.
final class ReferenceTable: @unchecked Sendable {
  private struct Entry: Hashable {
    let reference: ReferenceObject
    /// The index of the entity.
    let entity: Int32
  }

  private let lock = Lock()
  // Guarded by the lock.
  /// The keys of numbers, by the indexes of entities; those are many in a store that counts its
  /// objects.
  private var keysOfNumbers: [Int: [Int64: Int64]] = [:]
  private var keysOfTexts: [Entry: Int64] = [:]
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
      let entry = Entry(reference: reference, entity: Int32(entity))
      let next = Int64(entries.count + 1)
      let key =
        reference.number.map { keysOfNumbers[entity, default: [:]].key(of: $0, orNew: next) }
        ?? keysOfTexts.key(of: entry, orNew: next)
      if key == next { entries.append(entry) }
      return key
    }
  }

  /// The keys that were given, in their order.
  var allKeys: Range<Int64> { lock.withLock { 1..<Int64(entries.count + 1) } }

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

  /// The keys of the objects that contexts have now, and did not have when this was last asked, and
  /// the other way round; nil where there are none.
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
      return (Int(entry.entity), entry.reference)
    }
  }
}

extension Dictionary where Value == Int64 {
  /// The key that a reference has, or gets.
  fileprivate mutating func key(of reference: Key, orNew next: Int64) -> Int64 {
    // Looked for once, whether it is there or not.
    func taken(_ key: inout Int64) -> Int64 { key }
    return taken(&self[reference, default: next])
  }
}
