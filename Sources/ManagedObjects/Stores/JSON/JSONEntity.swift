/// An entity in a JSON store: its properties, and which of them are written.
///
/// Each relationship is written at one end only, so that one change affects one line: at the
/// to-one, at the ordered list, or else at the end whose name sorts first. Both ends are accepted
/// when reading.
final class JSONEntity {
  let entity: EntityBinding
  /// A property that is written.
  struct Written {
    let property: DocumentProperty
    /// The text of its line before the value.
    let start: [UInt8]
  }

  let written: [Written]
  /// The text with which an object begins, up to its number.
  let start: [UInt8]
  /// The entity's name and a space, as in keys and references.
  let prefix: [UInt8]
  /// All properties, in the order in which they are written.
  let properties: [DocumentProperty]
  private let indices: [String: Int]

  /// - Parameter destination: returns the entity with an index.
  init(_ entity: EntityBinding, destination: (Int) -> EntityBinding) {
    self.entity = entity
    let properties = DocumentProperty.all(of: entity)
    self.properties = properties
    indices = Dictionary(properties.enumerated().map { ($0.element.name, $0.offset) }) { one, _ in
      one
    }
    written = properties.filter { Self.isWritten($0, destination) }.map { property in
      var start: [UInt8] = []
      start.append("\n      ")
      start.append(json: property.name)
      start.append(": ")
      return Written(property: property, start: start)
    }
    var start: [UInt8] = []
    start.append(json: entity.name + " ")
    // The closing quote follows the number.
    prefix = Array(start.dropFirst().dropLast())
    self.start = Array("\n    \"".utf8) + prefix
  }

  /// The index of the property with a name, checked at a guessed index first; nil if there is none.
  func index(of name: String, near guess: Int) -> Int? {
    if guess < properties.count, properties[guess].name == name { return guess }
    return indices[name]
  }

  private static func isWritten(
    _ property: DocumentProperty, _ destination: (Int) -> EntityBinding
  ) -> Bool {
    switch property {
    case .attribute: return true
    case .toOne(let toOne):
      switch toOne.inverse {
      case .none: return true
      case .toMany(let number):
        let toMany = destination(toOne.destination).toManys[number]
        guard case .foreignKey = toMany.storage else { return true }
        return !toMany.description.isOrdered
      case .toOne(let slot):
        guard let inverse = destination(toOne.destination).toOnesBySlot[slot] else { return true }
        return precedes(toOne.description, inverse.description)
      }
    case .toMany(let toMany):
      guard case .join(let end) = toMany.storage, !end.isOrdered else {
        return toMany.description.isOrdered
      }
      guard case .toMany(let number) = toMany.inverse else { return true }
      let inverse = destination(toMany.destination).toManys[number]
      return !inverse.description.isOrdered && precedes(toMany.description, inverse.description)
    }
  }

  /// Whether a relationship is the one of two inverses that is written; true if it is its own
  /// inverse.
  private static func precedes(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription
  ) -> Bool {
    (inverse.destinationEntityName, relationship.name)
      <= (relationship.destinationEntityName, inverse.name)
  }
}

@available(*, unavailable) extension JSONEntity: Sendable {}
