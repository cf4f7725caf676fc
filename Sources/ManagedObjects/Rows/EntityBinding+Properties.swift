import DataModel

/// Properties by name, for stores of a program's own.
extension EntityBinding {
  /// Hands over what the stored attributes and to-ones of a row hold, by name.
  ///
  /// - Parameter id: the ID of the object with a key; nil where there is none.
  func values(
    of row: PackedRow, _ id: (_ key: Int64, _ toOne: ToOne) -> ManagedObjectID?
  ) -> [String: PropertyValue] {
    var values = [String: PropertyValue](minimumCapacity: storedSlotCount)
    for slot in 0..<storedSlotCount {
      if let (name, value) = value(of: row, at: slot, id) { values[name] = value }
    }
    return values
  }

  /// What a slot of a row holds, and the name of its property; nil where it holds nothing that has
  /// a name.
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
