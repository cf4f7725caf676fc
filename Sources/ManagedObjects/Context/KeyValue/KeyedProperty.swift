/// The property that a key of an object refers to.
enum KeyedProperty {
  case attribute(slot: Int, AttributeDescription)
  case composite([CompositeElement])
  case toOne(EntityBinding.ToOne)
  case toMany(EntityBinding.ToMany)
}

extension EntityBinding {
  /// The property that a key refers to, or nil if the entity has none.
  func property(_ key: String) -> KeyedProperty? {
    if let slot = slotsByName[key] {
      if let toOne = toOnesBySlot[slot] { return .toOne(toOne) }
      guard case .attribute(let attribute) = slots[slot] else { return nil }
      return .attribute(slot: slot, attribute)
    }
    if let number = toManysByName[key] { return .toMany(toManys[number]) }
    let elements = compositeElements(of: key)
    return elements.isEmpty ? nil : .composite(elements)
  }

  private func compositeElements(of key: String) -> [CompositeElement] {
    slots.compactMap { slot in
      guard case .attribute(let attribute) = slot, attribute.name.hasPrefix(key),
        attribute.name.utf8.dropFirst(key.utf8.count).first == UInt8(ascii: ".")
      else { return nil }
      return CompositeElement(
        path: attribute.name,
        name: attribute.name[attribute.name.utf8.index(key.endIndex, offsetBy: 1)...])
    }
  }
}

extension AttributeDescription {
  /// Whether its values are of any type, transformed from data or kept outside the row.
  var isTransformed: Bool { type == .transformable || type == .undefined }
}

extension SlotLayout.Slot {
  /// Whether it holds a property's value, rather than an order key or a destination's entity.
  var isValue: Bool {
    switch self {
    case .attribute, .toOne: true
    case .toOneEntity, .orderKey: false
    }
  }
}
