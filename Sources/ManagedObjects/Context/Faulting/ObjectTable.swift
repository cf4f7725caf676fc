/// The registered objects of one root entity in a context, by key, without holding them.
///
/// Objects with a temporary key have entries of their own. Temporary keys go down from -1, as
/// densely as permanent keys go up: in one array the permanent keys of a save would have the
/// indexes that temporary keys still have. Objects take themselves out when they end. Amortised
/// O(1) throughout.
final class ObjectTable {
  private let permanent = ObjectEntries()
  /// There as long as there are any.
  private var temporary: ObjectEntries?
  /// Who is told which objects come and go; mostly nobody.
  private let references: ReferenceTable?

  /// Makes a table without objects.
  ///
  /// - Parameter references: those of the store, where that is told of its objects.
  init(references: ReferenceTable? = nil) { self.references = references }

  var count: Int { permanent.count + (temporary?.count ?? 0) }

  /// Every registered object.
  var objects: [ManagedObject] { permanent.objects + (temporary?.objects ?? []) }

  /// The object with a key, or nil where none is registered.
  func object(for key: Int64) -> ManagedObject? {
    key < 0 ? temporary?.object(for: key) : permanent.object(for: key)
  }

  /// Enters an object under its key.
  ///
  /// - Precondition: none is registered under that key.
  func insert(_ object: ManagedObject) {
    guard object._key < 0 else {
      permanent.insert(object)
      references?.didRegister(object._key)
      return
    }
    let entries = temporary ?? ObjectEntries()
    temporary = entries
    entries.insert(object)
  }

  /// Takes the entry of a key out.
  func remove(_ key: Int64) {
    guard key < 0 else {
      if permanent.remove(key) { references?.didUnregister(key) }
      return
    }
    guard let temporary, temporary.remove(key), temporary.count == 0 else { return }
    self.temporary = nil
  }
}

@available(*, unavailable) extension ObjectTable: Sendable {}
