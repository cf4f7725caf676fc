extension PropertySlot: ExpressibleByStringLiteral {
  /// Creates a slot that is looked up by name, for hand-written accessors.
  ///
  ///     extension Dog { var call: String? { optionalValue(at: "call") } }
  @inlinable
  public init(stringLiteral name: StaticString) {
    self.init(-1, name)
  }
}

/// The functions that momc's generated accessors call; each takes a few instructions on a loaded
/// row.
///
/// Hand-written accessors pass only the property's name. Such a slot must be that of an attribute
/// whose values are of the accessor's type; otherwise this traps with a message. Integers may have
/// another width.
extension ManagedObject {
  /// The value of an optional attribute, or nil.
  @inlinable
  public func optionalValue<Value: SlotValue>(at property: PropertySlot) -> Value? {
    let slot = _slot(property, of: Value.self)
    let row = PackedRow(slots: _slots ?? _firedSlots())
    if row.hasValue(slot) { return Value._read(_RowAccess(row: row), slot: slot) }
    // A slot with all bits zero cannot be an unreadable value.
    guard row.bits(slot) != 0, _readsUnreadable(slot) else { return nil }
    return Value._read(_RowAccess(row: PackedRow(slots: _firedSlots())), slot: slot)
  }

  /// Sets the value of an optional attribute.
  @inlinable
  public func setOptionalValue<Value: SlotValue>(_ value: Value?, at property: PropertySlot) {
    let slot = _slot(property, of: Value.self)
    if let value { value._write(to: self, slot: slot) } else { _clear(slot) }
  }

  /// The value of a required attribute.
  ///
  /// - Precondition: the attribute has a value; in a new object it has none until it is set or has
  ///   a default.
  @inlinable
  public func requiredValue<Value: SlotValue>(at property: PropertySlot) -> Value {
    let slot = _slot(property, of: Value.self)
    let row = PackedRow(slots: _slots ?? _firedSlots())
    if row.hasValue(slot) { return Value._read(_RowAccess(row: row), slot: slot) }
    _checkMissing(property, slot)
    return Value._read(_RowAccess(row: PackedRow(slots: _firedSlots())), slot: slot)
  }

  /// Sets the value of a required attribute.
  @inlinable
  public func setRequiredValue<Value: SlotValue>(_ value: Value, at property: PropertySlot) {
    value._write(to: self, slot: _slot(property, of: Value.self))
  }

  /// The value of an optional attribute with a scalar type; zero if it has none.
  @inlinable
  public func scalarValue<Value: SlotValue & ExpressibleByScalar>(at property: PropertySlot)
    -> Value
  {
    optionalValue(at: property) ?? Value.zeroScalar
  }

  // MARK: Implementation

  /// The slot of a property in the layout of this object's entity.
  @inlinable
  func _slot(_ property: PropertySlot) -> Int { _compiledSlot(property) ?? _slotByName(property) }

  /// The slot of an attribute whose values are of a type.
  @inlinable
  func _slot<Value: SlotValue>(_ property: PropertySlot, of type: Value.Type) -> Int {
    _compiledSlot(property) ?? _slotByName(property, of: Value.self)
  }

  /// The slot that momc compiled in; nil if the name is to be used.
  @inlinable
  func _compiledSlot(_ property: PropertySlot) -> Int? {
    guard _entity.hasCompiledSlots, property.number >= 0 else { return nil }
    assert(
      _isCompiled(property),
      "\(property.name) is not in slot \(property.number): only code that momc generates should pass numbers."
    )
    return property.number
  }

  /// Whether the entity has the property in the slot that momc compiled in.
  @usableFromInline
  func _isCompiled(_ property: PropertySlot) -> Bool {
    _entity.binding.slotsByName[property.name.description] == property.number
  }

  @usableFromInline
  func _slotByName(_ property: PropertySlot, of type: any SlotValue.Type) -> Int {
    let slot = _slotByName(property)
    let binding = _entity.binding
    guard _entity.probe == nil else { return slot }
    guard case .attribute(let attribute) = binding.slots[slot] else {
      fatalError("\(binding.name).\(property.name) is not an attribute.")
    }
    require(
      type._isValue(of: attribute.type),
      "\(binding.name).\(property.name) is of the type \(attribute.type.name), but was used as \(type)."
    )
    return slot
  }

  @usableFromInline
  func _slotByName(_ property: PropertySlot) -> Int {
    _entity.context?.checkCaller(_entity.binding.name)
    guard let slot = _entity.binding.slotsByName[property.name.description] else {
      if let probe = _entity.probe {
        probe.names.append(property.name.description)
        return 0
      }
      fatalError("\(_entity.binding.name) has no property \(property.name) in this model.")
    }
    return slot
  }

  @usableFromInline
  func _firedSlots() -> UnsafeMutableRawPointer { row.slots }

  /// Traps if a required value was never set, or was set to nil by name.
  ///
  /// If the row is missing or damaged, the value is zero instead.
  @usableFromInline
  func _checkMissing(_ property: PropertySlot, _ slot: Int) {
    if _readsUnreadable(slot) { return }
    guard _state.isDisjoint(with: [.detached, .deletedExternally]) else { return }
    let name = "\(_entity.binding.name).\(property.name)"
    require(
      !_state.contains(.inserted),
      "\(name) is required and has no value: it was not set yet, or set to nil.")
    guard let snapshot = _side?.snapshot else { return }
    require(
      !snapshot.hasValue(_slot(property)), "\(name) is required, but was set to nil by its key.")
  }

  @inlinable
  func _writeBits(_ bits: UInt64, _ slot: Int) {
    if !_state.contains(.writable) { _prepareForChange() }
    PackedRow(slots: _slots.unsafelyUnwrapped).setBits(bits, slot)
  }

  @usableFromInline
  func _writeBytes(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
    _prepareForChange()
    let binding = _entity.binding
    _slots =
      row.replacingBytes(
        slot, with: bytes, slotCount: binding.slotCount, tailSlots: binding.tailSlots
      ).slots
  }

  @usableFromInline
  func _clear(_ slot: Int) {
    _prepareForChange()
    let binding = _entity.binding
    if binding.kinds[slot].isTail {
      _slots =
        row.replacingBytes(
          slot, with: nil, slotCount: binding.slotCount, tailSlots: binding.tailSlots
        ).slots
    } else {
      row.setHasValue(false, slot)
    }
  }
}
