import DataModel

extension ManagedObject {
  /// Where an object stands.
  @usableFromInline
  struct State: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32
    @usableFromInline init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Stands in its context's table.
    static let registered = State(rawValue: 1)
    /// Has no row in the store yet.
    @usableFromInline static let inserted = State(rawValue: 2)
    /// Was changed since it was read or saved.
    @usableFromInline static let updated = State(rawValue: 4)
    /// Will have no row after the next save.
    static let deleted = State(rawValue: 8)
    /// Has no row any more, or never will.
    static let gone = State(rawValue: 16)
    /// Was asked for by a unique value: takes that value's row over if there is one at the save,
    /// and comes back if its own is gone by then.
    static let findsOrCreates = State(rawValue: 32)
    /// A value may be written in place: the object is held and its old values are kept.
    @usableFromInline static let writable = State(rawValue: 64)
    /// Gets its values together with others of a result, when one of them is read.
    static let batched = State(rawValue: 1 << 19)
    /// Stands in the current event, for those who observe its context.
    static let noted = State(rawValue: 128)
    /// Is being asked to prepare for its deletion.
    static let isLeaving = State(rawValue: 256)
    /// Others have deleted its row: it is deleted, and a save has nothing to do about it.
    static let leftStore = State(rawValue: 512)
    /// Its values before the current event are kept, for the undo manager.
    static let recorded = State(rawValue: 1024)
    /// Stands in its context's list of inserted objects; it may not be one any more.
    static let listedAsInserted = State(rawValue: 1 << 16)
    /// Stands in the list of updated objects, likewise.
    static let listedAsUpdated = State(rawValue: 1 << 17)
    /// Stands in the list of deleted objects, likewise.
    static let listedAsDeleted = State(rawValue: 1 << 18)
    /// From this bit on stand the snapshot events that the object is still to be told of.
    static let firstSnapshotEvent = 20
  }

  /// What only a changed object, or one with a to-many in use, has need of.
  final class Side {
    /// The to-many relationships; nil until one of them is in use.
    var lists: ToManyLists?
    /// The values as the store has them, once a value was changed.
    var snapshot: PackedRow?
    /// How the object was looked for in the store, where it `findsOrCreates`.
    var lookUp: SaveRequest.LookUp?
    /// The values of transient attributes that no row can hold, by slot.
    var values: [Int: Any] = [:]
    /// Those values when the snapshot was taken.
    var snapshotValues: [Int: Any] = [:]

    /// Whether it may hold other objects: as members, or as values of transient attributes.
    var mayHoldObjects: Bool { lists != nil || !values.isEmpty || !snapshotValues.isEmpty }
  }

  /// The to-many relationships of an object.
  final class ToManyLists {
    /// By number.
    var toManys: [ToManyMembers]

    init(count: Int) { toManys = Array(repeating: ToManyMembers(), count: count) }

    /// Forgets the members of all of them, to be read again.
    func forgetAll() { for number in toManys.indices { toManys[number] = ToManyMembers() } }
  }
}

extension ManagedObject {
  /// The context; traps where the object has none any more.
  var requiredContext: ManagedObjectContext {
    guard let context = _entity.context else {
      fatalError(
        "The context of this \(_entity.binding.name) is gone; keep it as long as its objects.")
    }
    return context
  }

  /// The values; fetched where the object is a fault.
  var row: PackedRow {
    if let _slots { return PackedRow(slots: _slots) }
    requiredContext.fire(self)
    return PackedRow(slots: _slots!)  // Firing leaves a row or traps.
  }

  /// Makes the values ready to be written in place: fetches them, keeps a copy, holds the object.
  @usableFromInline
  func _prepareForChange() {
    guard !_state.contains(.writable) else { return }
    // An object that only now turns out to have no row is still registered.
    require(
      _state.isDisjoint(with: .gone) || _state.contains(.registered),
      "This \(_entity.binding.name) was deleted; it cannot be changed.")
    let row = row
    guard !_state.contains(.gone) else { return requiredContext.didLose(self) }
    keepSnapshot(of: row)
    let context = requiredContext
    context.changeRecorder?.willChange(self)
    context.eventValues?.willChange(self)
    for values in context.unsavedValues { values.willWrite(self) }
    context.temporaryEnds?.willWrite(self)
    _state.insert(.writable)
    context.didUpdate(self)
  }

  /// Keeps a copy of the saved values, where there is none yet; a new object has none.
  func keepSnapshot(of row: PackedRow) {
    guard !_state.contains(.inserted) else { return }
    let side = side
    guard side.snapshot == nil else { return }
    side.snapshot = row.copy(slotCount: _entity.binding.slotCount)
    if !side.values.isEmpty || !side.snapshotValues.isEmpty { side.snapshotValues = side.values }
  }

  /// Whether the object is neither deleted nor gone.
  var isThere: Bool { _state.isDisjoint(with: [.deleted, .gone]) }

  /// Whether others have deleted the row of an object that is still registered.
  var isLost: Bool {
    _state.contains(.leftStore) || _state.isSuperset(of: [.gone, .registered])
  }

  /// Whether a save writes the row: it is new, or a value was changed.
  var isWritten: Bool {
    _state.contains(.inserted) || (_state.contains(.updated) && _side?.snapshot != nil)
  }

  /// The side object, made where there is none yet.
  var side: Side {
    if let _side { return _side }
    let side = Side()
    _side = side
    return side
  }

  /// The to-many relationships, where one of them is in use.
  var _lists: ToManyLists? { _side?.lists }

  /// The to-many relationships, made where none was in use yet.
  var lists: ToManyLists {
    let side = side
    if let lists = side.lists { return lists }
    let lists = ToManyLists(count: _entity.binding.toManys.count)
    side.lists = lists
    return lists
  }
}
