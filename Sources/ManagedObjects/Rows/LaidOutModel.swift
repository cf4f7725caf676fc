import DataModel

/// A model with the layout of every entity, each computed once, for resolving relationships.
struct LaidOutModel {
  /// The positions of an entity's properties, transient ones after stored ones.
  struct Layout {
    /// The name of the root entity.
    var root = ""
    /// The names of the entity itself and of all its subentities.
    var family: [String] = []
    let slots: [SlotLayout.Slot]
    let storedSlotCount: Int
    let toManys: [RelationshipDescription]
    private var orderKeySlots: [String: Int] = [:]
    private(set) var toOneSlots: [String: Int] = [:]
    let toManyNumbers: [String: Int]

    /// - Parameter transients: the lowest positions that transient properties may have.
    init(
      of entity: EntityDescription, in model: ManagedObjectModel,
      transients: (slot: Int, toMany: Int)
    ) {
      let stored = SlotLayout(of: entity, in: model)
      storedSlotCount = stored.slots.count
      var (slots, toManys) = (stored.slots, stored.toManys)
      while slots.count < transients.slot { slots.append(.gap) }
      while toManys.count < transients.toMany { toManys.append(.gap(of: entity)) }
      if model.lineage(of: entity).contains(where: \.hasTransients) {
        for property in model.properties(of: entity) where property.isTransient {
          switch property {
          case .attribute(let attribute): slots.append(.attribute(attribute))
          case .relationship(let relationship):
            if relationship.isToMany {
              toManys.append(relationship)
            } else {
              slots.append(.toOne(relationship))
            }
          case .fetchedProperty: break
          }
        }
      }
      (self.slots, self.toManys) = (slots, toManys)
      var toManyNumbers: [String: Int] = [:]
      for (number, toMany) in toManys.enumerated() where toManyNumbers[toMany.name] == nil {
        toManyNumbers[toMany.name] = number
      }
      self.toManyNumbers = toManyNumbers
      for (slot, content) in slots.enumerated() {
        switch content {
        case .toOne(let relationship): toOneSlots[relationship.name] = slot
        case .orderKey(let relationship): orderKeySlots[relationship.name] = slot
        case .attribute, .toOneEntity: break
        }
      }
    }

    /// The slot of the destination's entity number, directly after the slot of a to-one's key.
    func entitySlot(behind slot: Int) -> Int? {
      guard slot + 1 < slots.count, case .toOneEntity = slots[slot + 1] else { return nil }
      return slot + 1
    }

    func orderKeySlot(of toOne: String) -> Int? { orderKeySlots[toOne] }
  }

  let model: ManagedObjectModel
  /// The index of each entity among the bindings, by name.
  let indices: [String: Int]
  private(set) var layouts: [String: Layout] = [:]

  init(_ model: ManagedObjectModel, indices: [String: Int]) {
    self.model = model
    self.indices = indices
    let hasTransients = model.entities.contains(where: \.hasTransientRelationships)
    for entity in model.entities {
      layouts[entity.name] = Layout(
        of: entity, in: model,
        transients: hasTransients ? Self.transients(of: entity, in: model) : (0, 0))
    }
    for entity in model.entities {
      let lineage = model.lineage(of: entity)
      layouts[entity.name]?.root = lineage[0].name
      for ancestor in lineage { layouts[ancestor.name]?.family.append(entity.name) }
    }
  }

  /// The lowest positions for transient properties of an entity.
  ///
  /// An inverse is looked up by the position that the superentity has for it, so it must be the
  /// same in all subentities. If an entity hierarchy has transient relationships, they therefore
  /// come after its longest row.
  private static func transients(
    of entity: EntityDescription, in model: ManagedObjectModel
  ) -> (slot: Int, toMany: Int) {
    let root = model.lineage(of: entity)[0].name
    let family = model.entities.filter { model.lineage(of: $0)[0].name == root }
    guard family.contains(where: \.hasTransientRelationships) else { return (0, 0) }
    let layouts = family.map { SlotLayout(of: $0, in: model) }
    return (layouts.map(\.slots.count).max() ?? 0, layouts.map(\.toManys.count).max() ?? 0)
  }

  /// The position of a relationship's inverse.
  ///
  /// If a to-one names an inverse that belongs to another relationship, it has none.
  func inverse(
    of relationship: RelationshipDescription, of entity: EntityDescription
  ) -> EntityBinding.Inverse {
    guard let name = relationship.inverseName,
      let layout = layouts[relationship.destinationEntityName]
    else { return .none }
    if let number = layout.toManyNumbers[name] {
      guard relationship.isToMany || leads(layout.toManys[number], to: relationship, of: entity)
      else { return .none }
      return .toMany(number: number)
    }
    guard let slot = layout.toOneSlots[name], case .toOne(let inverse) = layout.slots[slot],
      relationship.isToMany || leads(inverse, to: relationship, of: entity)
    else { return .none }
    return .toOne(slot: slot)
  }

  /// Whether an inverse points to an entity or one of its hierarchy, and names the relationship as
  /// its own inverse.
  private func leads(
    _ inverse: RelationshipDescription, to relationship: RelationshipDescription,
    of entity: EntityDescription
  ) -> Bool {
    guard inverse.inverseName == relationship.name else { return false }
    let name = inverse.destinationEntityName
    if name == entity.name || layouts[name]?.family.contains(entity.name) == true { return true }
    let declarer = model.declarer(of: relationship.name, for: entity.name)
    return layouts[declarer]?.family.contains(name) == true
  }
}

extension EntityDescription {
  fileprivate var hasTransients: Bool { properties.contains(where: \.isTransient) }

  fileprivate var hasTransientRelationships: Bool {
    properties.contains {
      if case .relationship(let relationship) = $0 { relationship.isTransient } else { false }
    }
  }
}

extension SlotLayout.Slot {
  /// A slot that an entity leaves empty because another entity of its hierarchy stores something
  /// there.
  fileprivate static let gap = SlotLayout.Slot.attribute(
    AttributeDescription(name: "", type: .undefined, isOptional: true, isTransient: true))
}

extension RelationshipDescription {
  /// A to-many position that an entity leaves empty for the same reason.
  fileprivate static func gap(of entity: EntityDescription) -> RelationshipDescription {
    RelationshipDescription(
      name: "", destinationEntityName: entity.name, isOptional: true, isTransient: true,
      maxCount: 0)
  }
}
