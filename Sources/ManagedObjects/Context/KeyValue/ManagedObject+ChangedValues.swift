import DataModel

/// What was changed since the last save, found by comparing with the values that the store has.
extension ManagedObject {
  /// The changed properties and their values now; nil for those whose value was taken away.
  ///
  ///     dog.name = "Rex"
  ///     dog.changedValues()   // ["name": "Rex"]
  ///
  /// Of a new object, all that are not the model's defaults. Transient properties are left out, as
  /// they are never saved.
  public func changedValues() -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in changedKeys { values.updateValue(value(forKey: key), forKey: key) }
    return values
  }

  /// Whether a property that is saved was changed; false where only transient ones were.
  public var hasPersistentChangedValues: Bool { !changedKeys.isEmpty }

  /// The values that the store has, as far as this context knows; nil for those without.
  ///
  ///     dog.committedValues(forKeys: ["name"])   // ["name": "Fido"]
  ///
  /// With nil for the keys, those of every property that is saved, a composite's elements by their
  /// key paths. Those of an object that was never saved are all nil. Reads the object's row, and the
  /// members of to-manys, where that was not done yet.
  ///
  /// - Precondition: the entity has the properties.
  public func committedValues(forKeys keys: [String]?) -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in keys ?? persistentKeys {
      guard let property = _entity.binding.property(key) else { refuse(key) }
      values.updateValue(committedValue(of: property), forKey: key)
    }
    return values
  }

  // MARK: Underneath

  /// The names of the stored properties.
  private var persistentKeys: [String] {
    let binding = _entity.binding
    return (0..<binding.storedSlotCount).filter { binding.slots[$0].isValue }
      .map { binding.slots[$0].name }
      + binding.toManys.filter { !$0.description.isTransient }.map(\.description.name)
  }

  private var changedKeys: [String] {
    let binding = _entity.binding
    var keys: [String] = []
    let isNew = _state.contains(.inserted)
    if let _slots, let old = isNew ? binding.newRow() : _side?.snapshot {
      let row = PackedRow(slots: _slots)
      for slot in binding.writtenSlots
      where binding.slots[slot].isValue
        && !row.isEqual(slot, to: old, isTail: binding.kinds[slot].isTail)
      {
        keys.append(binding.slots[slot].name)
      }
      if isNew { old.free(slotCount: binding.slotCount) }
    }
    guard let _side else { return keys }
    for toMany in binding.toManys
    where !toMany.description.isTransient && _side.toManys[toMany.number].isOtherwise {
      keys.append(toMany.description.name)
    }
    return keys
  }

  private func committedValue(of property: KeyedProperty) -> Any? {
    guard !_state.contains(.inserted) else { return nil }
    let row = _side?.snapshot ?? row
    switch property {
    case .attribute(let slot, let attribute):
      guard !attribute.isTransient else { return nil }
      guard attribute.isTransformed else {
        return row.value(at: slot, type: attribute.type)?.anyValue(of: attribute.type)
      }
      return row.hasValue(slot) ? attribute.transformed(row.bytes(slot)) : nil
    case .toOne(let toOne):
      guard row.hasValue(toOne.slot) else { return nil }
      return requiredContext.object(row.integer(toOne.slot), at: toOne, in: row)
    case .toMany(let toMany):
      let members = side.toManys[loaded(toMany).number].committed
      return toMany.description.isOrdered ? OrderedSet(unique: members) : Set(members)
    case .composite(let elements):
      return elements.reduce(into: [String: Any?]?.none) { values, element in
        guard let leaf = _entity.binding.property(element.path),
          let value = committedValue(of: leaf)
        else { return }
        values.setValue(value, along: element.name)
      }
    }
  }
}
