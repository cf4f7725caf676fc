public import DataModel

/// An object whose values are kept in a store: one row there, one object in each context.
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
  // Each of these is read and written at one stroke, never while it is being changed: so the
  // runtime need not look for that, which it would at every single access.
  /// Slot 0 of the object's values, or nil while it is a fault.
  @exclusivity(unchecked) @usableFromInline final var _slots: UnsafeMutableRawPointer?
  // Set anew only by `assign(_:to:)`, before the object has a row.
  @exclusivity(unchecked) @usableFromInline final var _entity: ContextEntity
  /// The primary key; negative until the object has a row.
  @exclusivity(unchecked) final var _key: Int64
  @exclusivity(unchecked) @usableFromInline final var _state: State
  /// What only a changed object, or one with a to-many in use, has need of.
  @exclusivity(unchecked) final var _side: Side?

  /// Creates an object that is new in a context.
  ///
  /// Only contexts do this; programs call `init(context:)` or `init(entity:insertInto:)`.
  public required init(_inserted insertion: _Insertion) {
    let entity = insertion.entity
    _entity = entity
    _key = ManagedObjectContext.nextTemporaryKey()
    _state = [.inserted, .registered, .writable]
    _slots = entity.binding.newRow().slots
    entity.context?.didInsert(self)
    awakeFromInsert()
  }

  /// Creates an object and inserts it into a context; the entity is the one whose class this is.
  ///
  ///     let walk = Walk(context: context)   // walk.isInserted
  ///
  /// - Precondition: exactly one entity of the context's model has this class.
  public convenience init(context: ManagedObjectContext) {
    self.init(_inserted: context.insertion(of: context.contextEntity(of: Self.self)))
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

  /// What a new object is made from; only contexts can make one.
  public struct _Insertion {
    let entity: ContextEntity
  }

  deinit {
    let slotCount = _entity.binding.slotCount
    if let _slots { PackedRow(slots: _slots).free(slotCount: slotCount) }
    _side?.snapshot?.free(slotCount: slotCount)
    if _state.contains(.registered), _entity.context != nil { _entity.table.remove(_key) }
    if _side?.mayHoldObjects == true { _entity.releases.release(&_side) }
  }

  // MARK: Its class

  /// Which methods the class overrides, of those that contexts would call for every row or value.
  ///
  ///     final class Walk: ManagedObject {
  ///       override class var overriddenMethods: OverriddenMethods { [] }
  ///     }
  ///
  /// All of them unless the class says otherwise, which is never wrong: then each is called. A
  /// class that says less saves a fetch, a save or an undo those calls; what it leaves out is not
  /// called, be it overridden or not, and so in its subclasses, unless they say more. Classes that
  /// momc writes have none. Asked once a context. Core Data, which can ask the Objective-C runtime,
  /// has no counterpart.
  open class var overriddenMethods: OverriddenMethods { self == ManagedObject.self ? [] : .all }

  // MARK: Its life

  /// Called once, when the object was made and inserted, for values that a default cannot give.
  ///
  ///     override func awakeFromInsert() { created = .now }
  ///
  /// Not called when it is fetched later. Does nothing here.
  open func awakeFromInsert() {}

  /// Called whenever the object's values were fetched, to set up what is worked out from them.
  ///
  ///     override func awakeFromFetch() { length = text.map { Int32($0.count) } }
  ///
  /// What is set here is no change: it is not saved, and the object stays unchanged. Does nothing
  /// here.
  open func awakeFromFetch() {}

  /// Called when the object's values were put back to earlier ones, or to the store's; the flags
  /// say by what.
  ///
  ///     override func awake(fromSnapshotEvents flags: SnapshotEventType) {
  ///       setPrimitiveValue(text.map { Int32($0.count) }, forKey: "length")
  ///     }
  ///
  /// Here what is worked out from the values is worked out anew; what is set is no change, as with
  /// `awakeFromFetch()`. Called once for each event, when all objects and relationships are as they
  /// will be. Does nothing here.
  open func awake(fromSnapshotEvents flags: SnapshotEventType) {}

  /// Called before the object is saved, inserted, changed or deleted; it and others may be changed.
  ///
  ///     override func willSave() {
  ///       if !isDeleted { setPrimitiveValue(Date.now, forKey: "modified") }
  ///     }
  ///
  /// Changing the object through its properties has this called again, until nothing changes: set
  /// only what differs. Comes before validation. Does nothing here.
  open func willSave() {}

  /// Called once the object's changes are in the store.
  ///
  ///     override func didSave() { drafts.remove(objectID) }
  ///
  /// Does nothing here.
  open func didSave() {}

  /// Called before the object drops its values and becomes a fault.
  ///
  ///     override func willTurnIntoFault() { journal.note(name, of: objectID) }
  ///
  /// Does nothing here.
  open func willTurnIntoFault() {}

  /// Called when the object has become a fault; drop here what was worked out from its values.
  ///
  ///     override func didTurnIntoFault() { thumbnail = nil }
  ///
  /// An object that just ends has its `deinit` called instead. Does nothing here.
  open func didTurnIntoFault() {}

  /// Called before the object is marked as deleted, while its relationships are still there.
  ///
  ///     override func prepareForDeletion() { photographer?.photoCount -= 1 }
  ///
  /// Objects that a cascade deletes are asked too. Does nothing here.
  open func prepareForDeletion() {}

  // MARK: What it may be

  /// Checks a value for a property, without setting it.
  ///
  ///     override func validateValue(_ value: inout Any?, forKey key: String) throws {
  ///       try super.validateValue(&value, forKey: key)
  ///       if key == "age", let age = value as? Int16, age < 18 {
  ///         throw ValidationError(self, property: key, "Drivers are 18 or older.")
  ///       }
  ///     }
  ///
  /// Every save asks for each property of what was inserted or changed; a to-many that was not read
  /// is left out. The value may be replaced, for callers that set it afterwards; a save does not.
  ///
  /// - Throws: `ValidationError` where the model forbids the value.
  /// - Precondition: the entity has the property.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try checkValue(value, forKey: key)
  }

  /// Checks whether the object may be inserted: its values against the model.
  ///
  ///     override func validateForInsert() throws {
  ///       try super.validateForInsert()
  ///       guard start < end else { throw ValidationError(self, "A trip ends after it began.") }
  ///     }
  ///
  /// Override it for rules about several properties, and call `super`.
  ///
  /// - Throws: `ValidationError` with everything that the model forbids.
  open func validateForInsert() throws { try checkValues() }

  /// Checks whether the object may be saved as it was changed: its values against the model.
  ///
  ///     override func validateForUpdate() throws {
  ///       try super.validateForUpdate()
  ///       if isSealed { throw ValidationError(self, "A sealed letter stays as it is.") }
  ///     }
  ///
  /// Rules of one's own come in as with `validateForInsert()`.
  ///
  /// - Throws: `ValidationError` with everything that the model forbids.
  open func validateForUpdate() throws { try checkValues() }

  /// Checks whether the object may be deleted: no delete rule of its relationships denies it.
  ///
  ///     override func validateForDelete() throws {
  ///       try super.validateForDelete()
  ///       if isPaid { throw ValidationError(self, "A paid bill is kept.") }
  ///     }
  ///
  /// - Throws: `ValidationError` with every relationship that does.
  open func validateForDelete() throws { try checkDelete() }

  // MARK: What its entity does not know

  /// The value under a key that is no property; traps unless a subclass knows better.
  ///
  ///     override func value(forUndefinedKey key: String) -> Any? {
  ///       key == "fullName" ? fullName : super.value(forUndefinedKey: key)
  ///     }
  open func value(forUndefinedKey key: String) -> Any? { refuse(key) }

  /// Sets the value under a key that is no property; traps unless a subclass knows better.
  ///
  ///     override func setValue(_ value: Any?, forUndefinedKey key: String) {
  ///       if key == "nickname" { nickname = value as? String } else {
  ///         super.setValue(value, forUndefinedKey: key)
  ///       }
  ///     }
  open func setValue(_ value: Any?, forUndefinedKey key: String) { refuse(key) }

  // MARK: What it is

  /// The object's identity, to keep, to compare and to send elsewhere; temporary until it is saved.
  ///
  ///     let id = walk.objectID
  ///     await background.perform { $0.delete($0.object(with: id)) }   // IDs go anywhere
  public var objectID: ManagedObjectID { ManagedObjectID(binding: _entity.binding, key: _key) }

  /// The entity of the object.
  ///
  ///     walk.entity.name   // "Walk"
  public var entity: EntityDescription { _entity.binding.description }

  /// The context the object belongs to; nil after its deletion was saved or its context ended.
  ///
  ///     try walk.managedObjectContext?.save()
  public var managedObjectContext: ManagedObjectContext? {
    _state.contains(.gone) ? nil : _entity.context
  }

  /// Whether the object has not fetched its values yet.
  ///
  ///     let object = context.object(with: id)   // object.isFault: nothing was read
  ///     object.value(forKey: "name")            // now it was; object.isFault is false
  public var isFault: Bool { _slots == nil }
  /// Whether the object will get its row at the next save.
  ///
  ///     let walk = Walk(context: context)   // walk.isInserted
  ///     try context.save()                 // not any more
  public var isInserted: Bool {
    _state.contains(.inserted) && _state.isDisjoint(with: [.deleted, .gone])
  }
  /// Whether the object has a row and was changed since it was read or saved.
  ///
  ///     fido.name = "Rex"   // fido.isUpdated, also if the name was "Rex" before
  public var isUpdated: Bool {
    _state.contains(.updated) && _state.isDisjoint(with: [.inserted, .deleted])
  }
  /// Whether the object's row goes at the next save.
  ///
  ///     context.delete(walk)   // walk.isDeleted
  ///     try context.save()     // not any more; walk.managedObjectContext is nil
  public var isDeleted: Bool {
    _state.contains(.deleted) && _state.isDisjoint(with: [.inserted, .gone])
  }
  /// Whether the object is inserted, updated or deleted.
  ///
  ///     if walk.hasChanges { try context.save() }
  public var hasChanges: Bool { isInserted || isUpdated || isDeleted }

  /// The same object, not an equal one.
  public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable) extension ManagedObject: Sendable {}
@available(*, unavailable) extension ManagedObject._Fault: Sendable {}
@available(*, unavailable) extension ManagedObject._Insertion: Sendable {}

extension ManagedObject: Identifiable {
  /// What identifies an object to those who show lists of them: its `objectID`.
  public typealias ID = ManagedObjectID
}

extension Identifiable where Self: ManagedObject {
  /// The object's `objectID`; temporary until it is saved.
  ///
  ///     let ids = walks.map(\.id)
  ///
  /// An attribute of the model that is called `id` takes this one's place.
  public var id: ManagedObjectID { objectID }
}
