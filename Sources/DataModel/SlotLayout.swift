/// Where each property of an entity's objects has its place: the slots of a row and the to-many
/// lists.
///
///     let layout = SlotLayout(of: walk, in: model)
///     layout.slots[0].name   // "date"
///
/// momc writes these numbers into accessors and `ManagedObjects` lays its rows out by them, so both
/// ask here. A superentity's slots are the first slots of its subentities. Among an entity's own
/// properties the attributes stand first, then the to-ones, then the order keys; each group sorted
/// literally by name.
/// A composite has no slot; its elements have, named `composite.element`, in its place. Transient
/// and fetched properties have none. A property that a subentity declares anew keeps its slot.
public struct SlotLayout: Sendable, Hashable {
  /// What one slot of a row holds.
  public indirect enum Slot: Sendable, Hashable {
    /// The value of an attribute.
    case attribute(AttributeDescription)
    /// The primary key of the object at the other end of a to-one.
    case toOne(RelationshipDescription)
    /// The entity number of that object, right behind its key, where its entity has subentities.
    case toOneEntity(RelationshipDescription)
    /// The order key in the list at the other end of a to-one, where that list is ordered.
    case orderKey(RelationshipDescription)

    /// The name of the property whose slot this is.
    public var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .toOne(let relationship), .toOneEntity(let relationship), .orderKey(let relationship):
        relationship.name
      }
    }
  }

  /// The slots, by number.
  public let slots: [Slot]
  /// The to-many relationships, by number: inherited ones first, each entity's sorted by name.
  public let toManys: [RelationshipDescription]

  /// Lays an entity of a model out.
  public init(of entity: EntityDescription, in model: ManagedObjectModel) {
    let lineage = model.lineage(of: entity)
    let redeclared = Self.redeclaredAttributes(of: lineage)
    var slots: [Slot] = []
    var toManys: [RelationshipDescription] = []
    for (index, ancestor) in lineage.enumerated() {
      let own = ancestor.properties
        .filter { property in
          !property.isTransient && !lineage[..<index].contains { $0.stores(property.name) }
        }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for case .attribute(let attribute) in own {
        if redeclared.isEmpty, attribute.type != .composite {
          slots.append(.attribute(attribute))
          continue
        }
        let latest = redeclared[attribute.name] ?? attribute
        // The column is the first declaration's; what may stand in it, the last one's.
        let isSameColumn = latest.type == attribute.type && latest.type != .composite
        let described = isSameColumn ? latest : attribute
        described.forEachLeaf { slots.append(.attribute($0)) }
      }
      for case .relationship(let relationship) in own {
        if relationship.isToMany {
          toManys.append(relationship)
        } else {
          slots.append(.toOne(relationship))
          let destination = relationship.destinationEntityName
          if model.entities.contains(where: { $0.superentityName == destination }) {
            slots.append(.toOneEntity(relationship))
          }
        }
      }
      for case .relationship(let relationship) in own
      where !relationship.isToMany && model.inverse(of: relationship)?.isOrdered == true {
        slots.append(.orderKey(relationship))
      }
    }
    self.slots = slots
    self.toManys = toManys
  }

  /// The attributes that subentities declare anew, as the last of them does.
  private static func redeclaredAttributes(
    of lineage: [EntityDescription]
  ) -> [String: AttributeDescription] {
    // Most entities have no superentity.
    guard lineage.count > 1 else { return [:] }
    var redeclared: [String: AttributeDescription] = [:]
    for attribute in lineage.flatMap(\.attributes) where !attribute.isTransient {
      redeclared[attribute.name] = attribute
    }
    return redeclared
  }
}

extension AttributeDescription {
  /// The attribute itself, or the elements that a composite is made of, named with the way to them.
  package var storedElements: [AttributeDescription] {
    var elements: [AttributeDescription] = []
    forEachLeaf { elements.append($0) }
    return elements
  }

  /// Visits the attribute itself, or the elements that a composite is made of, named with the way
  /// to them.
  fileprivate func forEachLeaf(_ body: (AttributeDescription) -> Void) {
    guard type == .composite else { return body(self) }
    let sorted = elements.filter { !$0.isTransient }.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    for element in sorted {
      var leaf = element
      leaf.name = "\(name).\(element.name)"
      leaf.isOptional = element.isOptional || isOptional
      leaf.forEachLeaf(body)
    }
  }
}

extension EntityDescription {
  /// Whether a property of this name has its place with the entity itself.
  fileprivate func stores(_ name: String) -> Bool {
    properties.contains { $0.name == name && !$0.isTransient }
  }
}
