import DataModel

extension ManagedObject {
  /// The flags of an object's state.
  @usableFromInline
  struct State: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32
    @usableFromInline init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The object is in its context's table.
    static let registered = State(rawValue: 1)
    /// The object has no row in the store yet.
    @usableFromInline static let inserted = State(rawValue: 2)
    /// The object was changed since it was read or saved.
    @usableFromInline static let updated = State(rawValue: 4)
    /// The object will have no row after the next save.
    static let deleted = State(rawValue: 8)
    /// The object has no row any more, or never will.
    static let detached = State(rawValue: 16)
    /// The object was looked up by a unique value: the save adopts a row with that value if there
    /// is one.
    ///
    /// If its own row was deleted by then, the save inserts it again.
    static let findsOrCreates = State(rawValue: 32)
    /// A value may be written in place: the object is retained and its old values are kept.
    @usableFromInline static let writable = State(rawValue: 64)
    /// The object's values are fetched together with those of its batch, when one of them is read.
    static let batched = State(rawValue: 1 << 19)
    /// The object is recorded in the current event, for observers of its context.
    static let noted = State(rawValue: 128)
    /// `prepareForDeletion` is being called on the object.
    static let isLeaving = State(rawValue: 256)
    /// The object's row was deleted elsewhere: it counts as deleted, and a save writes nothing for
    /// it.
    static let deletedExternally = State(rawValue: 512)
    /// The object's values before the current event are kept, for the undo manager.
    static let recorded = State(rawValue: 1024)
    /// The object is in its context's list of inserted objects, though it may no longer be
    /// inserted.
    static let listedAsInserted = State(rawValue: 1 << 16)
    /// The object is in the list of updated objects, likewise.
    static let listedAsUpdated = State(rawValue: 1 << 17)
    /// The object is in the list of deleted objects, likewise.
    static let listedAsDeleted = State(rawValue: 1 << 18)
    /// The first bit of the snapshot events that the object is still to be notified of.
    static let firstSnapshotEvent = 20
  }

  /// The state that only a changed object, or one with a to-many in use, needs.
  final class Side {
    /// The to-many relationships; nil until one of them is in use.
    var lists: ToManyLists?
    /// The stored values, once a value was changed.
    var snapshot: PackedRow?
    /// How the object was looked up in the store, if it `findsOrCreates`.
    var lookUp: SaveRequest.LookUp?
    /// The values of transient attributes that no row can hold, by slot.
    var values: [Int: Any] = [:]
    /// Those values when the snapshot was made.
    var snapshotValues: [Int: Any] = [:]

    /// Whether it may retain other objects: as members, or as values of transient attributes.
    var mayHoldObjects: Bool { lists != nil || !values.isEmpty || !snapshotValues.isEmpty }
  }

  /// The to-many relationships of an object.
  final class ToManyLists {
    /// The members of each to-many, by number.
    var toManys: [ToManyMembers]

    init(count: Int) { toManys = Array(repeating: ToManyMembers(), count: count) }

    /// Discards the members of all to-manys, to be read again.
    func forgetAll() { for number in toManys.indices { toManys[number] = ToManyMembers() } }
  }
}

extension ManagedObject {
  /// The context; traps if the object no longer has one.
  var requiredContext: ManagedObjectContext {
    guard let context = _entity.context else {
      fatalError(
        "The context of this \(_entity.binding.name) no longer exists: keep it as long as its objects."
      )
    }
    return context
  }

  /// The values, which are fetched if the object is a fault.
  var row: PackedRow {
    if let _slots { return PackedRow(slots: _slots) }
    requiredContext.fire(self)
    return PackedRow(slots: _slots!)  // Firing leaves a row or traps.
  }

  /// Prepares the values for writing in place: fetches them, keeps a copy, retains the object.
  @usableFromInline
  func _prepareForChange() {
    guard !_state.contains(.writable) else { return }
    // An object whose row has just turned out to be missing is still registered.
    require(
      _state.isDisjoint(with: .detached) || _state.contains(.registered),
      "This \(_entity.binding.name) was deleted and cannot be changed.")
    let row = row
    guard !_state.contains(.detached) else { return requiredContext.recordMissingRow(self) }
    keepSnapshot(of: row)
    let context = requiredContext
    context.changeRecorder?.willChange(self)
    context.eventValues?.willChange(self)
    for values in context.unsavedValues { values.willWrite(self) }
    context.temporaryEnds?.willWrite(self)
    _state.insert(.writable)
    context.didUpdate(self)
  }

  /// Keeps a copy of the saved values if there is none yet; a new object has none.
  func keepSnapshot(of row: PackedRow) {
    guard !_state.contains(.inserted) else { return }
    let side = side
    guard side.snapshot == nil else { return }
    side.snapshot = row.copy(slotCount: _entity.binding.slotCount)
    if !side.values.isEmpty || !side.snapshotValues.isEmpty { side.snapshotValues = side.values }
  }

  /// Whether the object is neither deleted nor without a row.
  var exists: Bool { _state.isDisjoint(with: [.deleted, .detached]) }

  /// Whether the row of an object that is still registered was deleted elsewhere.
  var isDeletedExternally: Bool {
    _state.contains(.deletedExternally) || _state.isSuperset(of: [.detached, .registered])
  }

  /// Whether a save writes the row: it is new, or a value was changed.
  var isWritten: Bool {
    _state.contains(.inserted) || (_state.contains(.updated) && _side?.snapshot != nil)
  }

  /// The side object, created if there is none yet.
  var side: Side {
    if let _side { return _side }
    let side = Side()
    _side = side
    return side
  }

  /// The to-many relationships, or nil if none is in use.
  var _lists: ToManyLists? { _side?.lists }

  /// The to-many relationships, created if none was in use yet.
  var lists: ToManyLists {
    let side = side
    if let lists = side.lists { return lists }
    let lists = ToManyLists(count: _entity.binding.toManys.count)
    side.lists = lists
    return lists
  }
}
