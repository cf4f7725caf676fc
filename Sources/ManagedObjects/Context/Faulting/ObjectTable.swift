/// The registered objects of one root entity in a context, by key, without retaining them.
///
/// Objects with a temporary key have entries of their own. Temporary keys count down from -1, as
/// densely as permanent keys count up: in one array, the permanent keys of a save would fall on
/// indexes still used by temporary keys. Objects remove themselves when they are deallocated.
/// Amortised O(1) throughout.
final class ObjectTable {
  private let permanent = ObjectEntries()
  /// Exists while there are objects with temporary keys.
  private var temporary: ObjectEntries?
  /// The objects of a context with a queue; nil for others, whose objects stay in one isolation.
  private let shared: SharedObjectEntries?
  /// Notified of objects that are registered and unregistered; mostly nil.
  private let references: ReferenceTable?

  /// Creates a table without objects.
  ///
  /// - Parameters:
  ///   - references: the store's reference table, if the store is notified of its objects.
  ///   - isShared: whether objects are released on other threads than that of the caller.
  init(references: ReferenceTable? = nil, isShared: Bool = false) {
    self.references = references
    shared = isShared ? SharedObjectEntries() : nil
  }

  /// Every registered object.
  var objects: [ManagedObject] {
    shared?.objects ?? permanent.objects + (temporary?.objects ?? [])
  }

  /// The object with a key, or nil if none is registered.
  func object(for key: Int64) -> ManagedObject? {
    if let shared { return shared.object(for: key) }
    return key < 0 ? temporary?.object(for: key) : permanent.object(for: key)
  }

  /// Inserts an object under its key.
  ///
  /// - Precondition: none is registered under that key.
  func insert(_ object: ManagedObject) {
    if let shared {
      if shared.insert(object), object._key > 0 { references?.didRegister(object._key) }
      return
    }
    guard object._key < 0 else {
      permanent.insert(object)
      references?.didRegister(object._key)
      return
    }
    let entries = temporary ?? ObjectEntries()
    temporary = entries
    entries.insert(object)
  }

  /// Removes the entry of an object.
  func remove(_ object: ManagedObject) {
    let key = object._key
    if let shared {
      if shared.remove(object), key > 0 { references?.didUnregister(key) }
      return
    }
    guard key < 0 else {
      if permanent.remove(key) { references?.didUnregister(key) }
      return
    }
    guard let temporary, temporary.remove(key), temporary.count == 0 else { return }
    self.temporary = nil
  }
}

@available(*, unavailable) extension ObjectTable: Sendable {}
