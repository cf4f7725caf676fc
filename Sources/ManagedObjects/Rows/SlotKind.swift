import DataModel

/// How the 64 bits of a slot are to be read.
enum SlotKind: UInt8 {
  /// A whole number: Integer 16, 32 and 64, Boolean.
  case integer
  /// A floating-point number: Double, Float, Date, Decimal.
  case real
  /// Offset and length of UTF-8 text: String, URI.
  case text
  /// Offset and length of bytes: Binary, UUID, Transformable.
  case blob
  /// Offset and length of bytes that the store may keep in a file of their own.
  case external
  /// The primary key of another row; negative for an object that was never saved.
  case key
  /// The entity number of that row.
  case entityNumber
  /// The place in an ordered to-many.
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

  /// Whether the value itself lies behind the slots.
  var isTail: Bool { self == .text || self == .blob || self == .external }
}

extension AttributeDescription {
  /// Whether the bytes have a prefix that tells where they are: here or in a file.
  var isExternal: Bool {
    allowsExternalBinaryDataStorage && !isTransient
      && (type == .binaryData || type == .transformable)
  }
}
