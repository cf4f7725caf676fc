/// The registered objects of a context with a queue, by key, without retaining them.
///
/// The program may release such objects on any thread, while the context works on its queue. So
/// there is a lock, and an object that is being deallocated is not found any more: it may already
/// have a successor under its key. Slower than `ObjectEntries`, and 100 bytes for each object.
final class SharedObjectEntries {
  private struct Entry {
    let id: ObjectIdentifier
    private(set) weak var object: ManagedObject?
  }

  private let lock = Lock()
  // Guarded by the lock, within which no object is released.
  private var entries: [Int64: Entry] = [:]

  /// The object with a key, or nil if none is registered.
  func object(for key: Int64) -> ManagedObject? {
    lock.withLock {
      // Swift 6.3 copies a weak reference in an optional that is nil.
      guard let index = entries.index(forKey: key) else { return nil }
      return entries.values[index].object
    }
  }

  /// Every object.
  var objects: [ManagedObject] { lock.withLock { entries.values.compactMap(\.object) } }

  /// Inserts an object under its key; returns whether there was no predecessor.
  func insert(_ object: ManagedObject) -> Bool {
    lock.withLock {
      let count = entries.count
      entries[object._key] = Entry(id: ObjectIdentifier(object), object: object)
      return entries.count > count
    }
  }

  /// Removes the entry of an object; returns whether there was one.
  func remove(_ object: ManagedObject) -> Bool {
    lock.withLock {
      guard let index = entries.index(forKey: object._key),
        entries.values[index].id == ObjectIdentifier(object)
      else { return false }
      entries.remove(at: index)
      return true
    }
  }
}

@available(*, unavailable) extension SharedObjectEntries: Sendable {}
