import DataModel

/// How the 64 bits of a slot are interpreted.
enum SlotKind: UInt8 {
  /// An integer: Integer 16, 32 and 64, Boolean.
  case integer
  /// A floating-point number: Double, Float, Date, Decimal.
  case real
  /// Offset and length of UTF-8 text: String, URI.
  case text
  /// Offset and length of bytes: Binary, UUID, Transformable.
  case blob
  /// Offset and length of bytes that the store may keep in an external file.
  case external
  /// The primary key of another row; negative for an object that has not been saved.
  case key
  /// The entity number of the row that the key before it names.
  case entityNumber
  /// The position in an ordered to-many relationship.
  case orderKey

  init(_ slot: SlotLayout.Slot) {
    switch slot {
    case .attribute(let attribute) where attribute.isExternal: self = .external
    case .toOne: self = .key
    case .toOneEntity: self = .entityNumber
    case .orderKey: self = .orderKey
    case .attribute(let attribute): self.init(attribute.type)
    }
  }

  init(_ type: AttributeDescription.AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: self = .integer
    case .double, .float, .date, .decimal: self = .real
    case .string, .uri: self = .text
    case .undefined, .binaryData, .uuid, .transformable, .composite: self = .blob
    }
  }

  /// Whether the value is stored after the slots.
  var isTail: Bool { self == .text || self == .blob || self == .external }
}

extension AttributeDescription {
  /// Whether the stored bytes have a prefix that says if they are in the column or in a file.
  var isExternal: Bool {
    allowsExternalBinaryDataStorage && !isTransient
      && (type == .binaryData || type == .transformable)
  }
}
