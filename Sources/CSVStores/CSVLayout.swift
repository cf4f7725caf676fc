import DataModel
import ManagedObjects

/// An entity as a CSV file has it: which columns there are.
struct CSVLayout {
  /// A column, named in the file's first line.
  struct Column {
    let name: String
    let kind: Kind

    /// What stands in it.
    enum Kind: Equatable {
      /// The object's number.
      case number
      case attribute(AttributeDescription.AttributeType)
      case toOne
      /// The position in the list at the other end of a to-one.
      case position
      case toMany
    }

    /// The property.
    var property = ""
    /// The entity at the other end of a relationship, and its root.
    var destination = ""
    var root = ""
    /// Of a position, the list at the other end.
    var list = ""
    /// Whether a to-many has an order.
    var isOrdered = false
  }

  let entity: EntityDescription
  /// The name of its root entity, among whose objects numbers are used once.
  let root: String
  let columns: [Column]

  var fileName: String { entity.name + ".csv" }

  /// The layouts of the entities that can have objects, sorted by name.
  static func all(of model: ManagedObjectModel) -> [CSVLayout] {
    model.entities.filter { !$0.isAbstract }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { CSVLayout($0, of: model) }
  }

  /// Why the objects of a model cannot stand in such files; nil where they can.
  static func problem(with layouts: [CSVLayout]) -> String? {
    var names: [String: String] = [:]
    for layout in layouts {
      let name = layout.entity.name
      if name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix(".") || name.utf8.contains(0) {
        return "A CSV store cannot have a file for the entity \(name)."
      }
      // Many disks do not tell them apart.
      if let other = names.updateValue(name, forKey: name.lowercased()) {
        return "A CSV store cannot tell the files of \(other) and \(name) apart."
      }
      var columns: Set<String> = []
      if let twice = layout.columns.first(where: { !columns.insert($0.name).inserted }) {
        return "A CSV store cannot have two columns '\(twice.name)' of \(name)."
      }
    }
    return nil
  }

  private init(_ entity: EntityDescription, of model: ManagedObjectModel) {
    self.entity = entity
    let lineage = model.lineage(of: entity)
    root = lineage.first?.name ?? entity.name
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    for property in lineage.flatMap(\.properties) {
      switch property {
      case .attribute(let attribute) where !attribute.isTransient:
        attributes.removeAll { $0.name == attribute.name }
        attributes += attribute.storedElements
      case .relationship(let relationship) where !relationship.isTransient:
        relationships.removeAll { $0.name == relationship.name }
        relationships.append(relationship)
      default: break
      }
    }
    let attributeColumns = attributes.map {
      Column(name: $0.name, kind: .attribute($0.type), property: $0.name)
    }
    let sorted = attributeColumns.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    relationships.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    columns =
      [Column(name: entity.name, kind: .number)] + sorted
      + relationships.flatMap { Self.columns(of: $0, in: model) }
  }

  /// The columns of a relationship; none where its inverse says the same.
  private static func columns(
    of relationship: RelationshipDescription, in model: ManagedObjectModel
  ) -> [Column] {
    let inverse = model.inverse(of: relationship)
    guard isWritten(relationship, inverse) else { return [] }
    let name = relationship.destinationEntityName
    let root = model.entitiesByName[name].flatMap { model.lineage(of: $0).first?.name } ?? name
    var column = Column(
      name: relationship.name, kind: relationship.isToMany ? .toMany : .toOne,
      property: relationship.name, destination: name, root: root,
      isOrdered: relationship.isOrdered)
    guard !relationship.isToMany, let inverse, inverse.isToMany, inverse.isOrdered else {
      return [column]
    }
    let toOne = column
    column = Column(
      name: positionName(relationship.name), kind: .position, property: relationship.name,
      destination: name, root: root, list: inverse.name)
    return [toOne, column]
  }

  /// The column of the positions in the list that a to-one leads to.
  static func positionName(_ toOne: String) -> String { toOne + " position" }

  /// Whether a relationship has a column: one of two that say the same has.
  ///
  /// That is the to-one; else the one that alone has an order; else the one whose name comes first.
  /// One that is its own inverse has one.
  private static func isWritten(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription?
  ) -> Bool {
    guard let inverse else { return true }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    if relationship.isToMany, relationship.isOrdered || inverse.isOrdered {
      return relationship.isOrdered
    }
    return (inverse.destinationEntityName, relationship.name)
      <= (relationship.destinationEntityName, inverse.name)
  }
}

extension ManagedObjectModel {
  /// The relationship at the other end that leads back.
  fileprivate func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName,
      let destination = entitiesByName[relationship.destinationEntityName]
    else { return nil }
    for property in lineage(of: destination).flatMap(\.properties) {
      if case .relationship(let inverse) = property, inverse.name == name,
        inverse.inverseName == relationship.name
      {
        return inverse
      }
    }
    return nil
  }
}
