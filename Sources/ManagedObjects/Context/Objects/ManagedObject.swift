public import DataModel

/// An object whose values are stored: one row in the store, one object in each context.
///
///     let walk = Walk(context: context)
///     walk.date = .now
///     try context.save()
///
/// Subclasses get their properties from momc, which generates them from Xcode's model. An object is
/// a fault until a value is read; then its row is fetched. It belongs to its context and must stay
/// in that context's isolation, which the compiler checks: it is not Sendable, but its `objectID`
/// is. Equality and hashing use identity. Follows Core Data's `NSManagedObject`.
open class ManagedObject: Hashable {
  // Each of these is read and written in a single step, never while it is being changed: so the
  // runtime checks of exclusivity, which would run at every access, are not needed.
  /// Slot 0 of the object's values, or nil while it is a fault.
  @exclusivity(unchecked) @usableFromInline final var _slots: UnsafeMutableRawPointer?
  // Replaced only by `assign(_:to:)`, before the object has a row.
  @exclusivity(unchecked) @usableFromInline final var _entity: ContextEntity
  /// The primary key; negative until the object has a row.
  @exclusivity(unchecked) final var _key: Int64
  @exclusivity(unchecked) @usableFromInline final var _state: State
  /// The state that only a changed object, or one with a to-many in use, needs.
  @exclusivity(unchecked) final var _side: Side?

  /// Creates a new object in a context.
  ///
  /// Only contexts call this; programs call `init(context:)` or `init(entity:insertInto:)`.
  public required init(_inserted insertion: _Insertion) {
    let entity = insertion.entity
    _entity = entity
    _key = ManagedObjectContext.nextTemporaryKey()
    _state = [.inserted, .registered, .writable]
    _slots = entity.binding.newRow().slots
    entity.context?.didInsert(self)
    awakeFromInsert()
  }

  /// Creates an object of the entity with this class, and inserts it into a context.
  ///
  ///     let walk = Walk(context: context)   // walk.isInserted
  ///
  /// - Precondition: exactly one entity of the context's model has this class.
  public required convenience init(context: ManagedObjectContext) {
    self.init(_inserted: context.insertion(of: context.contextEntity(of: Self.self)))
  }

  /// Creates the object for a row, with or without its values.
  ///
  /// Only contexts call this.
  public required init(_fault key: Int64, of entity: _Fault) {
    _entity = entity.entity
    _key = key
    _state = .registered
    _slots = entity.slots
  }

  /// The initial state of an object that has a row; only contexts can create one.
  public struct _Fault {
    let entity: ContextEntity
    let slots: UnsafeMutableRawPointer?
  }

  /// The initial state of a new object; only contexts can create one.
  public struct _Insertion {
    let entity: ContextEntity
  }

  deinit {
    let slotCount = _entity.binding.slotCount
    if let _slots { PackedRow(slots: _slots).free(slotCount: slotCount) }
    _side?.snapshot?.free(slotCount: slotCount)
    if _state.contains(.registered), _entity.context != nil { _entity.table.remove(self) }
    if _side?.mayHoldObjects == true { _entity.releases.release(&_side) }
  }

  // MARK: Class

  /// The methods that the class overrides, of those that contexts would call for every row or
  /// value.
  ///
  ///     final class Walk: ManagedObject {
  ///       override class var overriddenMethods: OverriddenMethods { [] }
  ///     }
  ///
  /// All of them by default, which is always correct: then each is called. A class that lists fewer
  /// saves those calls in a fetch, a save or an undo; a method that is not listed is not called,
  /// even if it is overridden, here or in subclasses, unless they list it. Classes that momc
  /// generates list none. Read once per context. Core Data, which can query the Objective-C
  /// runtime, has no counterpart.
  open class var overriddenMethods: OverriddenMethods { self == ManagedObject.self ? [] : .all }

  // MARK: Life cycle

  /// Called once, after the object was inserted, to set values that a default cannot provide.
  ///
  ///     override func awakeFromInsert() { created = .now }
  ///
  /// Not called when it is fetched later. The default implementation does nothing.
  open func awakeFromInsert() {}

  /// Called whenever the object's values were fetched, to set up values derived from them.
  ///
  ///     override func awakeFromFetch() { length = text.map { Int32($0.count) } }
  ///
  /// Values set here are not changes: they are not saved, and the object stays unchanged. The
  /// default implementation does nothing.
  open func awakeFromFetch() {}

  /// Called when the object's values were reset to earlier ones, or to the store's.
  ///
  ///     override func awake(fromSnapshotEvents flags: SnapshotEventType) {
  ///       setPrimitiveValue(text.map { Int32($0.count) }, forKey: "length")
  ///     }
  ///
  /// The flags specify the cause. Recompute derived values here; values that are set are not
  /// changes, as with `awakeFromFetch()`. Called once for each event, when all objects and
  /// relationships are in their final state. The default implementation does nothing.
  open func awake(fromSnapshotEvents flags: SnapshotEventType) {}

  /// Called before an inserted, changed or deleted object is saved; it and others may be changed.
  ///
  ///     override func willSave() {
  ///       if !isDeleted { setPrimitiveValue(Date.now, forKey: "modified") }
  ///     }
  ///
  /// Changing the object through its properties makes this be called again, until nothing changes:
  /// set only values that differ. Called before validation. The default implementation does
  /// nothing.
  open func willSave() {}

  /// Called once the object's changes are in the store.
  ///
  ///     override func didSave() { drafts.remove(objectID) }
  ///
  /// The default implementation does nothing.
  open func didSave() {}

  /// Called before the object drops its values and becomes a fault.
  ///
  ///     override func willTurnIntoFault() { journal.note(name, of: objectID) }
  ///
  /// The default implementation does nothing.
  open func willTurnIntoFault() {}

  /// Called when the object has become a fault, to drop values derived from its own.
  ///
  ///     override func didTurnIntoFault() { thumbnail = nil }
  ///
  /// For an object that is deallocated, its `deinit` is called instead. The default implementation
  /// does nothing.
  open func didTurnIntoFault() {}

  /// Called before the object is marked as deleted, while it still has its relationships.
  ///
  ///     override func prepareForDeletion() { photographer?.photoCount -= 1 }
  ///
  /// Also called on objects that a cascade deletes. The default implementation does nothing.
  open func prepareForDeletion() {}

  // MARK: Validation

  /// Checks a value for a property, without setting it.
  ///
  ///     override func validateValue(_ value: inout Any?, forKey key: String) throws {
  ///       try super.validateValue(&value, forKey: key)
  ///       if key == "age", let age = value as? Int16, age < 18 {
  ///         throw ValidationError(self, property: key, "Drivers are 18 or older.")
  ///       }
  ///     }
  ///
  /// Every save calls this for each property of an inserted or changed object, except a to-many
  /// that was not loaded. The value may be replaced, for callers that set it afterwards; a save
  /// does not.
  ///
  /// - Throws: `ValidationError` if the model forbids the value.
  /// - Precondition: the entity has the property.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try checkValue(value, forKey: key)
  }

  /// Checks whether the object may be inserted: validates its values against the model.
  ///
  ///     override func validateForInsert() throws {
  ///       try super.validateForInsert()
  ///       guard start < end else { throw ValidationError(self, "A trip ends after it began.") }
  ///     }
  ///
  /// Override it for rules about several properties, and call `super`.
  ///
  /// - Throws: `ValidationError` with all violations of the model's rules.
  open func validateForInsert() throws { try checkValues() }

  /// Checks whether a changed object may be saved: validates its values against the model.
  ///
  ///     override func validateForUpdate() throws {
  ///       try super.validateForUpdate()
  ///       if isSealed { throw ValidationError(self, "A sealed letter stays as it is.") }
  ///     }
  ///
  /// Add custom rules as with `validateForInsert()`.
  ///
  /// - Throws: `ValidationError` with all violations of the model's rules.
  open func validateForUpdate() throws { try checkValues() }

  /// Checks whether the object may be deleted: whether a delete rule denies it.
  ///
  ///     override func validateForDelete() throws {
  ///       try super.validateForDelete()
  ///       if isPaid { throw ValidationError(self, "A paid bill is kept.") }
  ///     }
  ///
  /// - Throws: `ValidationError` with every relationship that denies it.
  open func validateForDelete() throws { try checkDelete() }

  // MARK: Undefined keys

  /// The value for a key that is not a property; traps unless a subclass overrides it.
  ///
  ///     override func value(forUndefinedKey key: String) -> Any? {
  ///       key == "fullName" ? fullName : super.value(forUndefinedKey: key)
  ///     }
  open func value(forUndefinedKey key: String) -> Any? { refuse(key) }

  /// Sets the value for a key that is not a property; traps unless a subclass overrides it.
  ///
  ///     override func setValue(_ value: Any?, forUndefinedKey key: String) {
  ///       if key == "nickname" { nickname = value as? String } else {
  ///         super.setValue(value, forUndefinedKey: key)
  ///       }
  ///     }
  open func setValue(_ value: Any?, forUndefinedKey key: String) { refuse(key) }

  // MARK: Identity and state

  /// The object's ID, to store, compare and send across isolations; temporary until it is saved.
  ///
  ///     let id = walk.objectID
  ///     await background.perform { $0.delete($0.object(with: id)) }   // IDs go anywhere
  public var objectID: ManagedObjectID { ManagedObjectID(binding: _entity.binding, key: _key) }

  /// The entity of the object.
  ///
  ///     walk.entity.name   // "Walk"
  public var entity: EntityDescription { _entity.binding.description }

  /// The context the object belongs to; nil after its deletion was saved or its context was
  /// deallocated.
  ///
  ///     try walk.managedObjectContext?.save()
  public var managedObjectContext: ManagedObjectContext? {
    _state.contains(.detached) ? nil : _entity.context
  }

  /// Whether the object's values have not been fetched yet.
  ///
  ///     let object = context.object(with: id)   // object.isFault: nothing was read
  ///     object.value(forKey: "name")            // now it was; object.isFault is false
  public var isFault: Bool { _slots == nil }
  /// Whether the next save inserts the object's row.
  ///
  ///     let walk = Walk(context: context)   // walk.isInserted
  ///     try context.save()                 // not any more
  public var isInserted: Bool {
    _state.contains(.inserted) && _state.isDisjoint(with: [.deleted, .detached])
  }
  /// Whether the object has a row and was changed since it was read or saved.
  ///
  ///     fido.name = "Rex"   // fido.isUpdated, also if the name was "Rex" before
  public var isUpdated: Bool {
    _state.contains(.updated) && _state.isDisjoint(with: [.inserted, .deleted])
  }
  /// Whether the next save deletes the object's row.
  ///
  ///     context.delete(walk)   // walk.isDeleted
  ///     try context.save()     // not any more; walk.managedObjectContext is nil
  public var isDeleted: Bool {
    _state.contains(.deleted) && _state.isDisjoint(with: [.inserted, .detached])
  }
  /// Whether the object is inserted, updated or deleted.
  ///
  ///     if walk.hasChanges { try context.save() }
  public var hasChanges: Bool { isInserted || isUpdated || isDeleted }

  /// Whether both are the same instance.
  public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable) extension ManagedObject: Sendable {}
@available(*, unavailable) extension ManagedObject._Fault: Sendable {}
@available(*, unavailable) extension ManagedObject._Insertion: Sendable {}

extension ManagedObject: Identifiable {
  /// The type that identifies an object, for example in lists: that of its `objectID`.
  public typealias ID = ManagedObjectID
}

extension Identifiable where Self: ManagedObject {
  /// The object's `objectID`; temporary until it is saved.
  ///
  ///     let ids = walks.map(\.id)
  ///
  /// An attribute of the model that is called `id` shadows this property.
  public var id: ManagedObjectID { objectID }
}
