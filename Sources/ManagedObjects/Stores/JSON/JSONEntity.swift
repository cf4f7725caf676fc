import DataFormats
import DataModel

/// An entity as JSON stores know it: its properties, and which of them are written.
///
/// Each relationship is written at one end, so that one change is one line: at the to-one, at the
/// list that has an order, else at the end whose name comes first. It is read at either.
final class JSONEntity {
  let entity: EntityBinding
  /// A property that is written.
  struct Written {
    let property: DocumentProperty
    /// The line up to its value.
    let start: [UInt8]
  }

  let written: [Written]
  /// The line that an object begins with, up to its number.
  let start: [UInt8]
  /// Its name and a space, as keys and references have them.
  let prefix: [UInt8]
  /// All properties, in the order in which they are written.
  let properties: [DocumentProperty]
  private let indices: [String: Int]

  /// - Parameter destination: the entity of an index.
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
    // The quote at its end stands behind the number.
    prefix = Array(start.dropFirst().dropLast())
    self.start = Array("\n    \"".utf8) + prefix
  }

  /// The index of the property of a name, looked for at one index first; nil where there is none.
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

  /// Whether a relationship is the one of two inverses that is written; one that is its own inverse
  /// is.
  private static func precedes(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription
  ) -> Bool {
    (inverse.destinationEntityName, relationship.name)
      <= (relationship.destinationEntityName, inverse.name)
  }
}

@available(*, unavailable) extension JSONEntity: Sendable {}

/// What an object is called in a JSON store: its entity's name and its number, `Walk 7`.
struct JSONKey {
  let entityName: Substring
  let id: Int64

  /// Reads a key; nil where the text is none.
  init?(_ text: String) {
    guard let space = text.utf8.lastIndex(of: 0x20) else { return nil }
    let digits = text.utf8[text.utf8.index(after: space)...]
    // Written with zeros before it, one object would have two keys.
    guard let first = digits.first, first != 0x30, digits.count <= 18 else { return nil }
    var id: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      id = id * 10 + Int64(digit - 0x30)
    }
    self.id = id
    entityName = text[..<space]
  }
}
