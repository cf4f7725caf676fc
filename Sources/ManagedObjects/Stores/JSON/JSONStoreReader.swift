import DataFormats

/// A sequential reader of a JSON store, without its model.
struct JSONStoreReader {
  /// The position in the document: at the properties of an object, or at the value of one.
  var json: JSONReader
  /// The bytes of the document, from which raw values are copied.
  private let bytes: [UInt8]

  /// Everything in the document other than the objects.
  struct Head {
    var identifier = ""
    var highestID: Int64 = 0
    var metadata: [String: PropertyList] = [:]
  }

  /// The version of the document format.
  static let form = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    json = JSONReader(bytes, longestText: maximumDocumentByteCount)
  }

  // MARK: Header

  /// Reads everything other than the objects, which are skipped only if something follows them.
  mutating func readHead() throws(DataError) -> Head {
    var head = Head()
    var names: Set<String> = []
    try beginStore()
    while let name = try json.nextName() {
      guard names.insert(name).inserted else {
        throw json.error("\"\(name)\" occurs twice", at: json.namePosition)
      }
      switch name {
      case "uuid":
        head.identifier = try json.string()
        guard !head.identifier.isEmpty, head.identifier.utf8.count <= 255 else {
          throw json.error("this is not a UUID")
        }
      case "highestID":
        guard let number = Int64(try json.numberText()), number >= 0, number < Int64.max / 2 else {
          throw json.error("\"highestID\" is not the number of an object")
        }
        head.highestID = number
      case "metadata":
        guard case .dictionary(let metadata) = try PropertyList(&json) else {
          throw json.error("the metadata is not a JSON object")
        }
        head.metadata = metadata
      case "objects":
        if names.contains("uuid"), names.contains("metadata") { return head }
        try json.skip()
      default: throw json.error("a store has no \"\(name)\"", at: json.namePosition)
      }
    }
    guard names.contains("uuid") else { throw json.error("the store has no \"uuid\"") }
    return head
  }

  /// Whether the document is a store; begins to read it.
  mutating func isStore() -> Bool { (try? beginStore()) != nil }

  private mutating func beginStore() throws(DataError) {
    guard try json.next() == .object else { throw noStore(at: json.position) }
    try json.beginObject()
    guard let name = try json.nextName() else { throw noStore(at: json.position) }
    guard name == "managedObjects", try json.next() == .number else {
      throw noStore(at: json.namePosition)
    }
    let position = json.position
    guard try json.numberText() == "\(Self.form)" else {
      throw json.error("the store has a newer format version than \(Self.form)", at: position)
    }
  }

  private func noStore(at position: JSONReader.Position) -> DataError {
    json.error("a store begins with { \"managedObjects\": \(Self.form)", at: position)
  }

  // MARK: Objects

  /// An object whose properties are still to be read.
  struct Object {
    let key: JSONKey
    /// The key as it is written.
    let name: String
    let position: JSONReader.Position
  }

  /// Moves to the objects; returns false if there are none.
  mutating func beginObjects() throws(DataError) -> Bool {
    guard try goToObjects() else { return false }
    try json.beginObject()
    return true
  }

  private mutating func goToObjects() throws(DataError) -> Bool {
    try beginStore()
    while let name = try json.nextName() {
      if name == "objects" { return true }
      try json.skip()
    }
    return false
  }

  /// The next object, whose properties follow; nil after the last object, when the rest of the
  /// document was checked.
  mutating func nextObject() throws(DataError) -> Object? {
    guard let name = try json.nextName() else {
      while try json.nextName() != nil { try json.skip() }
      try json.end()
      return nil
    }
    guard let key = JSONKey(name) else {
      throw json.error(
        "\"\(name)\" is not the key of an object, such as \"Dog 7\"", at: json.namePosition)
    }
    let position = json.namePosition
    guard try json.next() == .object else {
      throw json.error("\(name) is not a JSON object")
    }
    return Object(key: key, name: name, position: position)
  }

  /// The raw bytes of the next value, which is skipped.
  mutating func value() throws(DataError) -> [UInt8] {
    _ = try json.next()
    let start = json.offset
    try json.skip()
    return Array(bytes[start..<json.offset])
  }

  /// The raw bytes of all objects and the highest of their numbers; nil if there are no objects.
  mutating func objects() throws(DataError) -> (bytes: [UInt8], highestID: Int64)? {
    guard try goToObjects() else { return nil }
    _ = try json.next()
    let start = json.offset
    var highestID: Int64 = 0
    try json.beginObject()
    while let name = try json.nextName() {
      highestID = max(highestID, JSONKey(name)?.id ?? 0)
      try json.skip()
    }
    return (Array(bytes[start..<json.offset]), highestID)
  }

  /// The position of an object or of one of its properties; nil if it does not exist.
  static func position(
    of property: String?, of name: String, in bytes: [UInt8]
  ) -> JSONReader.Position? {
    var reader = JSONStoreReader(bytes)
    do {
      guard try reader.beginObjects() else { return nil }
      while let object = try reader.nextObject() {
        guard object.name == name else {
          try reader.json.skip()
          continue
        }
        guard let property else { return object.position }
        try reader.json.beginObject()
        while let found = try reader.json.nextName() {
          if found == property { return reader.json.namePosition }
          try reader.json.skip()
        }
        return object.position
      }
    } catch {
      // The document was read before; the caller reports what is wrong.
    }
    return nil
  }
}

@available(*, unavailable) extension JSONStoreReader: Sendable {}
