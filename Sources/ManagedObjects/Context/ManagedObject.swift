public import DataModel

/// An object whose values are kept in a store: one row there, one object in each context.
///
///     public final class Walk: ManagedObject {}
///
///     let walk = Walk(context: context)
///     walk.date = .now
///     try context.save()
///
/// Subclasses get their properties from momc, which writes them from Xcode's model. An object is a
/// fault until a value is read; then its row is fetched. It belongs to its context and must stay in
/// that context's isolation, which the compiler checks: it is not Sendable, its `objectID` is.
/// Equal and hashed by identity. Follows Core Data's `NSManagedObject`.
open class ManagedObject: Hashable {
  /// Slot 0 of the object's values, or nil while it is a fault.
  @usableFromInline var _slots: UnsafeMutableRawPointer?
  // Set anew only by `assign(_:to:)`, before the object has a row.
  @exclusivity(unchecked) @usableFromInline final var _entity: ContextEntity
  /// The primary key; negative until the object has a row.
  var _key: Int64
  @usableFromInline var _state: State
  /// What only a changed object, or one with a to-many in use, has need of.
  var _side: Side?

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
    /// Gets its values together with others of a result, when one of them is read.
    static let batched = State(rawValue: 1 << 16)
    /// Stands in the current event, for those who observe its context.
    static let noted = State(rawValue: 128)
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

  /// Creates an object of an entity and inserts it into a context.
  ///
  /// For an entity that has no class of its own; with one, `init(context:)` reads better.
  ///
  /// - Precondition: the entity is one of the context's model, and not abstract.
  public required init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
    let entity = context.entityForNewObjects(context.contextEntity(named: entity.name))
    precondition(
      !entity.binding.description.isAbstract,
      "\(entity.binding.name) is abstract: it has no objects.")
    precondition(
      Self.self == entity.binding.objectClass,
      "The objects of \(entity.binding.name) are of the class \(entity.binding.objectClass).")
    _entity = entity
    _key = ManagedObjectContext.nextTemporaryKey()
    _state = [.inserted, .registered, .writable]
    _slots = entity.binding.newRow().slots
    context.didInsert(self)
  }

  /// Creates an object and inserts it into a context; the entity is the one whose class this is.
  ///
  /// - Precondition: exactly one entity of the context's model has this class.
  public convenience init(context: ManagedObjectContext) {
    self.init(entity: context.contextEntity(of: Self.self).binding.description, insertInto: context)
  }

  /// Creates the object for a row or for the promise of one.
  ///
  /// Only contexts do this.
  public required init(_fault key: Int64, of entity: _Fault) {
    _entity = entity.entity
    _key = key
    _state = .registered
    _slots = entity.slots
  }

  /// What an object is made from that has a row; only contexts can make one.
  public struct _Fault {
    let entity: ContextEntity
    let slots: UnsafeMutableRawPointer?
  }

  deinit {
    let slotCount = _entity.binding.slotCount
    if let _slots { PackedRow(slots: _slots).free(slotCount: slotCount) }
    _side?.snapshot?.free(slotCount: slotCount)
    if _state.contains(.registered), _entity.context != nil { _entity.table.remove(_key) }
  }

  // MARK: What it is

  /// The object's identity, to keep, to compare and to send elsewhere; temporary until it is saved.
  public var objectID: ManagedObjectID { ManagedObjectID(binding: _entity.binding, key: _key) }

  /// The entity of the object.
  public var entity: EntityDescription { _entity.binding.description }

  /// The context the object belongs to; nil after its deletion was saved or its context ended.
  public var managedObjectContext: ManagedObjectContext? {
    _state.contains(.gone) ? nil : _entity.context
  }

  /// Whether the object has not fetched its values yet.
  public var isFault: Bool { _slots == nil }
  /// Whether the object will get its row at the next save.
  public var isInserted: Bool {
    _state.contains(.inserted) && _state.isDisjoint(with: [.deleted, .gone])
  }
  /// Whether the object has a row and was changed since it was read or saved.
  public var isUpdated: Bool {
    _state.contains(.updated) && _state.isDisjoint(with: [.inserted, .deleted])
  }
  /// Whether the object's row goes at the next save.
  public var isDeleted: Bool {
    _state.contains(.deleted) && _state.isDisjoint(with: [.inserted, .gone])
  }
  /// Whether the object is inserted, updated or deleted.
  public var hasChanges: Bool { isInserted || isUpdated || isDeleted }

  /// The same object, not an equal one.
  public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable) extension ManagedObject: Sendable {}
@available(*, unavailable) extension ManagedObject._Fault: Sendable {}

extension ManagedObject {
  /// The context; traps where the object has none any more.
  var requiredContext: ManagedObjectContext {
    guard let context = _entity.context else {
      preconditionFailure(
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
    precondition(
      _state.isDisjoint(with: .gone) || _state.contains(.registered),
      "This \(_entity.binding.name) was deleted; it cannot be changed.")
    let row = row
    guard !_state.contains(.gone) else { return requiredContext.didLose(self) }
    if _side?.snapshot == nil, !_state.contains(.inserted) {
      side.snapshot = row.copy(slotCount: _entity.binding.slotCount)
      side.snapshotValues = side.values
    }
    _state.insert(.writable)
    requiredContext.didUpdate(self)
  }

  /// Whether a save writes the row: it is new, or a value was changed.
  var isWritten: Bool { _state.contains(.inserted) || _side?.snapshot != nil }

  /// The side object, made where there is none yet.
  var side: Side {
    if let _side { return _side }
    let side = Side(toManyCount: _entity.binding.toManys.count)
    _side = side
    return side
  }
}

extension ManagedObject: Identifiable {
  /// What identifies an object to those who show lists of them: its `objectID`.
  public typealias ID = ManagedObjectID
}

extension Identifiable where Self: ManagedObject {
  /// The object's `objectID`; temporary until it is saved.
  ///
  /// An attribute of the model that is called `id` takes this one's place.
  public var id: ManagedObjectID { objectID }
}
