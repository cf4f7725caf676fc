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
    /// Was asked for by a unique value, and takes that value's row over if there is one at the
    /// save.
    static let findsOrCreates = State(rawValue: 32)
    /// A value may be written in place: the object is held and its old values are kept.
    @usableFromInline static let writable = State(rawValue: 64)
    /// Is being asked to prepare for its deletion.
    static let isLeaving = State(rawValue: 128)
  }

  /// What only a changed object, or one with a to-many in use, has need of.
  final class Side {
    /// The values as the store has them, once a value was changed.
    var snapshot: PackedRow?
    /// The slot by whose value the object was asked for, where it `findsOrCreates`.
    var uniqueSlot: Int?
    /// The to-many relationships by number.
    var toManys: [ToManyMembers]
    /// The values of transient attributes that no row can hold, by slot.
    var values: [Int: Any] = [:]
    /// Those values when the snapshot was taken.
    var snapshotValues: [Int: Any] = [:]

    init(toManyCount: Int) { toManys = Array(repeating: ToManyMembers(), count: toManyCount) }
  }
}
