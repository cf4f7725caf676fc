import DataModel

/// A stored property as a document represents it, resolved for a store.
enum DocumentProperty {
  case attribute(AttributeDescription, slot: Int)
  case toOne(EntityBinding.ToOne)
  case toMany(EntityBinding.ToMany)

  var name: String {
    switch self {
    case .attribute(let attribute, _): attribute.name
    case .toOne(let toOne): toOne.description.name
    case .toMany(let toMany): toMany.description.name
    }
  }

  var relationship: RelationshipDescription? {
    switch self {
    case .attribute: nil
    case .toOne(let toOne): toOne.description
    case .toMany(let toMany): toMany.description
    }
  }

  /// The stored properties of an entity: attributes first, each group sorted by name.
  static func all(of entity: EntityBinding) -> [DocumentProperty] {
    var attributes: [DocumentProperty] = []
    var relationships: [DocumentProperty] = []
    for (slot, content) in entity.slots[..<entity.storedSlotCount].enumerated() {
      if case .attribute(let attribute) = content {
        attributes.append(.attribute(attribute, slot: slot))
      }
    }
    for toOne in entity.toOnes where toOne.slot < entity.storedSlotCount {
      relationships.append(.toOne(toOne))
    }
    for toMany in entity.toManys {
      if case .memory = toMany.storage { continue }
      relationships.append(.toMany(toMany))
    }
    func precedes(_ one: DocumentProperty, _ two: DocumentProperty) -> Bool {
      one.name.utf8.lexicographicallyPrecedes(two.name.utf8)
    }
    return attributes.sorted(by: precedes) + relationships.sorted(by: precedes)
  }
}
