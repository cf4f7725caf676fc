import DataModel

extension ManagedObject {
  /// The destination of a to-one relationship, or nil.
  ///
  /// Does not fetch its values.
  public func toOne<Destination: ManagedObject>(at property: PropertySlot) -> Destination? {
    guard let object = toOne(toOneSlot(property)) else { return _entity.probe?.object() }
    guard let typed = object as? Destination else {
      fatalError(
        "\(_entity.binding.name).\(property.name) holds a \(type(of: object)), not a \(Destination.self)."
      )
    }
    return typed
  }

  /// Sets the destination of a to-one relationship, and updates the inverse.
  ///
  /// - Precondition: the object belongs to the same context and is of the right entity.
  public func setToOne(_ object: (some ManagedObject)?, at property: PropertySlot) {
    setToOne(object, slot: toOneSlot(property))
  }

  private func toOneSlot(_ property: PropertySlot) -> Int {
    if let slot = _compiledSlot(property) { return slot }
    let slot = _slotByName(property)
    require(
      _entity.binding.toOnesBySlot[slot] != nil || _entity.probe != nil,
      "\(_entity.binding.name).\(property.name) is not a to-one relationship.")
    return slot
  }

  func toOne(_ slot: Int) -> ManagedObject? {
    let row = row
    guard row.hasValue(slot), let toOne = _entity.binding.toOnesBySlot[slot] else { return nil }
    let object = requiredContext.object(row.integer(slot), at: toOne, in: row)
    let entity = object._entity.binding.index
    // In a damaged store a key may refer to a row of another branch of the family: it is then
    // ignored.
    let isMember =
      entity == toOne.destination
      || requiredContext.binding(at: toOne.destination).family.contains(entity)
    return isMember ? object : nil
  }

  /// Sets a to-one and updates its inverse.
  ///
  /// - Parameter index: this object's index in an ordered inverse; nil for the end.
  func setToOne(_ object: ManagedObject?, slot: Int, at index: Int? = nil) {
    guard let toOne = _entity.binding.toOnesBySlot[slot] else {
      fatalError("Slot \(slot) of \(_entity.binding.name) is not a to-one relationship.")
    }
    let context = requiredContext
    if let object, !isValidDestination(object, toOne.destination, toOne.description.name) {
      return
    }
    let row = row
    let oldKey = row.hasValue(slot) ? row.integer(slot) : nil
    guard oldKey != object?._key else { return }
    let old = oldKey.flatMap { context.registeredObject($0, of: toOne.destination) }

    _prepareForChange()
    write(object, at: toOne)
    switch toOne.inverse {
    case .none: break
    case .toMany(let number):
      if let old { old.forget(self, in: number) }
      if let object { object.remember(self, in: number, at: index) }
    case .toOne(let inverse):
      // A to-one that is its own inverse, and refers to its own object, has been written already.
      func isWritten(_ end: ManagedObject) -> Bool { end === self && inverse == slot }
      // Fetched where it is not registered: its row refers to this object and has to change.
      if let oldKey {
        let partner = old ?? context.object(oldKey, at: toOne, in: self.row)
        if !isWritten(partner) { partner.writeInverse(nil, slot: inverse) }
      }
      if let object, !isWritten(object) {
        if let displaced = object.toOne(inverse) { displaced.writeInverse(nil, slot: slot) }
        object.writeInverse(self, slot: inverse)
      }
    }
  }

  /// Sets a to-one whose inverse is set already; ignores an object that is being deleted.
  func writeInverse(_ object: ManagedObject?, slot: Int) {
    guard !_state.contains(.deleted), let toOne = _entity.binding.toOnesBySlot[slot] else { return }
    _prepareForChange()
    write(object, at: toOne)
  }

  func write(_ object: ManagedObject?, at toOne: EntityBinding.ToOne) {
    // The order key was that of the old owner's list; the save assigns one of the new owner's.
    if let slot = toOne.orderKeySlot { row.setHasValue(false, slot) }
    guard let object else {
      row.setHasValue(false, toOne.slot)
      if let slot = toOne.entitySlot { row.setHasValue(false, slot) }
      return
    }
    row.setBits(UInt64(bitPattern: object._key), toOne.slot)
    if let slot = toOne.entitySlot { row.setBits(UInt64(object._entity.binding.number), slot) }
  }

  /// Clears references to objects that were deleted before they got a row.
  ///
  /// The delete rule No Action leaves such references, and a row must not keep a temporary key.
  func forgetObjectsWithoutRow() {
    guard let _slots else { return }
    let row = PackedRow(slots: _slots)
    for toOne in _entity.binding.toOnes where row.hasValue(toOne.slot) {
      let object = requiredContext.registeredObject(row.integer(toOne.slot), of: toOne.destination)
      // An object that the parent has yet to save is not registered here, or not as inserted.
      guard let object, object._state.contains(.inserted) else { continue }
      if !object._state.isDisjoint(with: [.deleted, .detached]) { write(nil, at: toOne) }
    }
  }

  /// Whether an object can be the destination of a relationship; traps on a mistake of the program.
  ///
  /// An object whose row was deleted elsewhere is no mistake, since whether the context knows
  /// depends on what it has read: the next save throws a `ConflictError` for it.
  func isValidDestination(_ object: ManagedObject, _ destination: Int, _ name: String) -> Bool {
    let context = requiredContext
    func relationship() -> String { "\(_entity.binding.name).\(name)" }
    require(
      object._entity.context === context,
      "\(relationship()) cannot refer to an object of another context.")
    require(
      object._entity.binding.store === _entity.binding.store,
      "\(relationship()) cannot refer to an object in another store: see assign(_:to:).")
    require(
      context.binding(at: destination).family.contains(object._entity.binding.index),
      "\(relationship()) cannot refer to an object of the entity \(object._entity.binding.name).")
    guard !object.exists else { return true }
    require(object.isDeletedExternally, "\(relationship()) cannot refer to a deleted object.")
    context.recordMissingRow(object)
    return false
  }

  // MARK: The inverse to-many

  /// Adds a member whose to-one already refers to this object.
  private func remember(_ object: ManagedObject, in number: Int, at index: Int?) {
    if index == nil, _state.contains(.inserted) { lists.toManys[number].isLoaded = true }
    addMember(object, to: number, at: index)
    requiredContext.didUpdate(self)
  }

  /// Removes a member whose to-one no longer refers to this object.
  ///
  /// If the members are not loaded, the object may be one of them, so this one is updated, too.
  func forget(_ object: ManagedObject, in number: Int) {
    let isLoaded = _lists?.toManys[number].isLoaded ?? false
    guard removeMember(object, from: number) || !isLoaded else { return }
    requiredContext.didUpdate(self)
  }
}
