/// The layout of an entity's objects: the slots of their rows and the numbers of their to-many
/// lists.
///
///     let layout = SlotLayout(of: walk, in: model)
///     layout.slots[0].name   // "date"
///
/// momc generates accessors with these numbers and `ManagedObjects` lays out its rows by them, so
/// both use this type. A superentity's slots are the first slots of its subentities. Among an
/// entity's own properties the attributes come first, then the to-ones, then the order keys; each
/// group is sorted literally by name. A composite has no slot; its elements have, named
/// `composite.element`, in its position. Transient and fetched properties have none. A property
/// that a subentity redeclares keeps its slot.
public struct SlotLayout: Sendable, Hashable {
  /// The contents of one slot of a row.
  public indirect enum Slot: Sendable, Hashable {
    /// The value of an attribute.
    case attribute(AttributeDescription)
    /// The primary key of a to-one's destination.
    case toOne(RelationshipDescription)
    /// The entity number of the destination, right after its key, if its entity has subentities.
    case toOneEntity(RelationshipDescription)
    /// The order key in the inverse list of a to-one, if that list is ordered.
    case orderKey(RelationshipDescription)

    /// The name of the slot's property.
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

  /// Creates the layout of an entity of a model.
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
        // The column is that of the first declaration; its valid values are those of the last.
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

  /// The attributes that subentities redeclare, in their last declaration.
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
  /// The attribute itself, or the elements of a composite, named by their key paths.
  package var storedElements: [AttributeDescription] {
    var elements: [AttributeDescription] = []
    forEachLeaf { elements.append($0) }
    return elements
  }

  /// Visits the attribute itself, or the elements of a composite, named by their key paths.
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
  /// Whether a property with a name is stored by the entity itself.
  fileprivate func stores(_ name: String) -> Bool {
    properties.contains { $0.name == name && !$0.isTransient }
  }
}
