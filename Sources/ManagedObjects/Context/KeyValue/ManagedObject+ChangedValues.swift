import DataModel

/// Changes since the last save, found by comparing with the stored values.
extension ManagedObject {
  /// The changed properties and their current values; nil for those without a value.
  ///
  ///     dog.name = "Rex"
  ///     dog.changedValues()   // ["name": "Rex"]
  ///
  /// For a new object, all properties whose values are not the model's defaults. Transient
  /// properties are omitted, as they are never saved.
  public func changedValues() -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in changedKeys { values.updateValue(value(forKey: key), forKey: key) }
    return values
  }

  /// Whether a persistent property was changed; false if only transient ones were.
  ///
  ///     dog.name = "Rex"
  ///     dog.hasPersistentChangedValues   // true
  public var hasPersistentChangedValues: Bool { !changedKeys.isEmpty }

  /// The earlier values of the properties changed in the current event; nil for those without one.
  ///
  ///     dog.name = "Rex"
  ///     context.processPendingChanges()
  ///     dog.targetMinutes = 60
  ///     dog.changedValuesForCurrentEvent()   // ["targetMinutes": 30], as it was
  ///
  /// An event ends when `objectsDidChange` is sent: see <doc:ContextsAndIsolation>. During the
  /// notification an observer gets the changes of the event it is notified of. For an object
  /// inserted in the event, the properties that are not the model's defaults, each with nil.
  /// Transient properties are omitted. Once an event has ended without a save, every change in a
  /// later one keeps a copy of the object's values until that event ends; this searches those
  /// copies, and reads a list that was changed without being loaded. Follows Core Data's method of
  /// that name.
  public func changedValuesForCurrentEvent() -> [String: Any?] {
    var values: [String: Any?] = [:]
    guard _state.isDisjoint(with: .detached), let context = _entity.context else { return values }
    guard let event = context.eventValues, !event.beganWithSave else {
      for key in changedKeys {
        guard let property = _entity.binding.property(key) else { continue }
        values.updateValue(committedValue(of: property), forKey: key)
      }
      return values
    }
    let before = event.before(self)
    if case .missing = before {
      for key in changedKeys { values.updateValue(nil, forKey: key) }
      return values
    }
    if case .row(let old) = before {
      for key in keys(in: row, otherThanIn: old) {
        guard let property = _entity.binding.property(key) else { continue }
        values.updateValue(value(of: property, in: old), forKey: key)
      }
    }
    for (number, steps) in event.steps(of: self) {
      let toMany = _entity.binding.toManys[number]
      guard !toMany.description.isTransient, let old = members(of: toMany, before: steps) else {
        continue
      }
      values.updateValue(collection(of: old, toMany), forKey: toMany.description.name)
    }
    return values
  }

  /// The stored values, as this context last read or saved them; nil for properties without a
  /// value.
  ///
  ///     dog.committedValues(forKeys: ["name"])   // ["name": "Fido"]
  ///
  /// With nil for the keys, the values of all persistent properties, a composite's elements by key
  /// path. For an object that was never saved, all are nil. Reads the object's row, and the members
  /// of to-manys, unless that was done before.
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

  // MARK: Implementation

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
      keys = self.keys(in: PackedRow(slots: _slots), otherThanIn: old)
      if isNew { old.free(slotCount: binding.slotCount) }
    }
    guard let _lists else { return keys }
    for toMany in binding.toManys
    where !toMany.description.isTransient && _lists.toManys[toMany.number].differsFromSaved {
      keys.append(toMany.description.name)
    }
    return keys
  }

  /// The attributes and to-ones with different values in two rows.
  private func keys(in row: PackedRow, otherThanIn old: PackedRow) -> [String] {
    let binding = _entity.binding
    return binding.writtenSlots.filter {
      binding.slots[$0].isValue && !row.isEqual($0, to: old, isTail: binding.kinds[$0].isTail)
    }
    .map { binding.slots[$0].name }
  }

  private func committedValue(of property: KeyedProperty) -> Any? {
    guard !_state.contains(.inserted) else { return nil }
    if case .toMany(let toMany) = property {
      return collection(of: lists.toManys[loaded(toMany).number].committed, toMany)
    }
    return value(of: property, in: _side?.snapshot ?? row)
  }

  /// The value of a property other than a to-many in a row.
  private func value(of property: KeyedProperty, in row: PackedRow) -> Any? {
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
    case .toMany: return nil
    case .composite(let elements):
      return elements.reduce(into: [String: Any?]?.none) { values, element in
        guard let leaf = _entity.binding.property(element.path),
          let value = value(of: leaf, in: row)
        else { return }
        values.setValue(value, along: element.name)
      }
    }
  }

  // MARK: Members

  /// The members that a to-many had before some steps; nil if they are the same.
  private func members(
    of toMany: EntityBinding.ToMany, before steps: [ToManyMembers.Step]
  ) -> [ManagedObject]? {
    loaded(toMany)
    var list = lists.toManys[toMany.number]
    let now = list.members
    for step in steps.reversed() {
      // Its index in a list that was not loaded then is unknown.
      if case .forgotten(let member) = step { list.append(member) } else { list.takeBack(step) }
    }
    let old = list.members
    let isSame =
      toMany.description.isOrdered ? old.elementsEqual(now, by: ===) : Set(old) == Set(now)
    return isSame ? nil : old
  }

  private func collection(of members: [ManagedObject], _ toMany: EntityBinding.ToMany) -> Any {
    toMany.description.isOrdered ? OrderedSet(unique: members) : Set(members)
  }
}
