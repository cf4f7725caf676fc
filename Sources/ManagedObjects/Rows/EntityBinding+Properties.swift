import DataModel

/// Property values by name, for custom stores.
extension EntityBinding {
  /// The values of a row's stored attributes and to-ones, by name.
  ///
  /// - Parameter id: returns the ID of the object with a key; nil if there is none.
  func values(
    of row: PackedRow, _ id: (_ key: Int64, _ toOne: ToOne) -> ManagedObjectID?
  ) -> [String: PropertyValue] {
    var values = [String: PropertyValue](minimumCapacity: storedSlotCount)
    for slot in 0..<storedSlotCount {
      if let (name, value) = value(of: row, at: slot, id) { values[name] = value }
    }
    return values
  }

  /// The name and value of the property in a slot; nil if the slot has no value or belongs to no
  /// property.
  func value(
    of row: PackedRow, at slot: Int, _ id: (_ key: Int64, _ toOne: ToOne) -> ManagedObjectID?
  ) -> (name: String, value: PropertyValue)? {
    guard row.hasValue(slot) else { return nil }
    if case .attribute(let attribute) = slots[slot] {
      return row.value(at: slot, type: attribute.type).map { (attribute.name, .attribute($0)) }
    }
    guard let toOne = toOnesBySlot[slot], let id = id(row.integer(slot), toOne) else { return nil }
    return (toOne.description.name, .toOne(id))
  }

  /// The names of the stored properties whose slots differ in two rows.
  func namesOfChanges(from old: PackedRow, to new: PackedRow) -> Set<String> {
    var names: Set<String> = []
    for slot in 0..<storedSlotCount
    where !new.isEqual(slot, to: old, isTail: kinds[slot].isTail) {
      switch slots[slot] {
      case .attribute(let attribute): names.insert(attribute.name)
      case .toOne(let toOne): names.insert(toOne.name)
      case .toOneEntity, .orderKey: continue
      }
    }
    return names
  }
}
