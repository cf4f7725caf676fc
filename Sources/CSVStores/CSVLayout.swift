import DataModel
import ManagedObjects

/// The columns of an entity in a CSV file.
struct CSVLayout {
  /// A column, named in the file's first line.
  struct Column {
    let name: String
    let kind: Kind

    /// The content of a column.
    enum Kind: Equatable {
      /// The object's number.
      case number
      case attribute(AttributeDescription.AttributeType)
      case toOne
      /// The position in the to-one's ordered inverse.
      case position
      case toMany
    }

    /// The property.
    var property = ""
    /// A relationship's destination entity, and its root entity.
    var destination = ""
    var root = ""
    /// The ordered to-many that a position belongs to.
    var list = ""
    /// Whether a to-many is ordered.
    var isOrdered = false
  }

  let entity: EntityDescription
  /// The name of the root entity, among whose objects numbers are unique.
  let root: String
  let columns: [Column]

  var fileName: String { entity.name + ".csv" }

  /// The layouts of the entities that are not abstract, sorted by name.
  static func all(of model: ManagedObjectModel) -> [CSVLayout] {
    model.entities.filter { !$0.isAbstract }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { CSVLayout($0, of: model) }
  }

  /// Why such files cannot represent the objects of a model; nil if they can.
  static func problem(with layouts: [CSVLayout]) -> String? {
    var names: [String: String] = [:]
    for layout in layouts {
      let name = layout.entity.name
      if name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix(".") || name.utf8.contains(0) {
        return "A CSV store cannot have a file for the entity \(name)."
      }
      // Many file systems ignore case.
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

  /// The columns of a relationship; none if its inverse has them.
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

  /// The name of the column for the positions in a to-one's ordered inverse.
  static func positionName(_ toOne: String) -> String { toOne + " position" }

  /// Whether a relationship, rather than its inverse, has a column.
  ///
  /// That is the to-one; else the only ordered one; else the one whose name sorts first. A
  /// relationship that is its own inverse has a column.
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
  /// The inverse of a relationship.
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
