import DataModel

/// An entity in a binary store: its attributes in the order of their values, its relationships by
/// name.
struct BinaryEntity {
  let entity: EntityBinding
  /// The stored attributes: those of the root entity first, by name, then those of each subentity.
  let attributes: [(description: AttributeDescription, slot: Int)]
  let relationships: [String: DocumentProperty]
  /// The relationships sorted by name.
  let sorted: [DocumentProperty]

  /// The entities of a store.
  static func all(_ bindings: [EntityBinding]) -> [BinaryEntity] {
    let byName = Dictionary(bindings.map { ($0.name, $0) }) { one, _ in one }
    return bindings.map { BinaryEntity($0, byName) }
  }

  private init(_ entity: EntityBinding, _ bindings: [String: EntityBinding]) {
    self.entity = entity
    var lineage: [EntityBinding] = []
    var next: EntityBinding? = entity
    while let level = next {
      lineage.append(level)
      next = level.description.superentityName.flatMap { bindings[$0] }
    }
    var attributes: [(AttributeDescription, Int)] = []
    var seen: Set<String> = []
    for level in lineage.reversed() {
      // Properties that the superentity lacks are the entity's own.
      for case .attribute(let attribute, _) in DocumentProperty.all(of: level)
      where seen.insert(attribute.name).inserted {
        guard let slot = entity.slotsByName[attribute.name] else { continue }
        attributes.append((attribute, slot))
      }
    }
    self.attributes = attributes
    sorted = DocumentProperty.all(of: entity).filter { $0.relationship != nil }
    relationships = Dictionary(sorted.map { ($0.name, $0) }) { one, _ in one }
  }
}
