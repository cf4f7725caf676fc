import DataFormats

/// A sequential reader of an XML store, without its model.
struct XMLStoreReader {
  private var xml: XMLScanner

  /// Everything that precedes the objects.
  struct Head {
    let identifier: String
    let version: String?
    let highestID: Int64
    let metadata: [String: PropertyList]
  }

  /// An object whose properties are still to be read.
  struct Object {
    /// The name of its entity, in upper case.
    let type: String
    let id: Int64
    let line: Int
    fileprivate let attributes: [XMLScanner.Attribute]
  }

  /// A property of an object.
  struct Part {
    let isRelationship: Bool
    let line: Int
    fileprivate let attributes: [XMLScanner.Attribute]
    /// The text between its tags.
    fileprivate(set) var text = ""

    var name: String { attributes.value("name") ?? "" }
    var type: String { attributes.value("type") ?? "" }

    /// The ids of a relationship's members.
    func ids() throws(DataError) -> [Int64] {
      var ids: [Int64] = []
      for word in (attributes.value("idrefs") ?? "").split(separator: " ") {
        ids.append(try XMLStoreReader.id(word, line: line))
      }
      return ids
    }

    var element: XMLStoreDocument.Element {
      XMLStoreDocument.Element(
        name: isRelationship ? "relationship" : "attribute", attributes: attributes, text: text)
    }
  }

  init(_ bytes: [UInt8]) {
    // The elements of a store plus property lists of 128 levels.
    xml = XMLScanner(bytes, maximumDepth: 140, maximumByteCount: maximumDocumentByteCount)
  }

  private func error(_ reason: String) -> DataError { DataError(line: xml.line, reason) }

  // MARK: Header

  /// Whether the document is a store; begins to read it.
  mutating func isStore() throws(DataError) -> Bool {
    if case .start("database", _)? = try xml.next() { true } else { false }
  }

  /// Reads everything that precedes the objects.
  mutating func readHead() throws(DataError) -> Head {
    guard try isStore() else { throw error("the root element is not <database>") }
    guard let (name, _) = try element(in: "database"), name == "databaseInfo" else {
      throw error("there is no <databaseInfo> before the objects")
    }
    var texts: [String: String] = [:]
    var metadata: PropertyList?
    while let (name, _) = try element(in: "databaseInfo") {
      if name == "metadata" {
        metadata = try readMetadata()
      } else {
        texts[name] = try text(of: name)
      }
    }
    guard let identifier = texts["UUID"], !identifier.isEmpty, identifier.utf8.count <= 255 else {
      throw error("<databaseInfo> has no <UUID>")
    }
    guard case .dictionary(let entries)? = metadata ?? .dictionary([:]) else {
      throw error("the metadata is not a dictionary")
    }
    var highestID: Int64 = 0
    if let text = texts["nextObjectID"], !text.isEmpty {
      guard let number = Int64(text), number >= 0, number < Int64.max / 2 else {
        throw error("<nextObjectID> is not a number")
      }
      highestID = number
    }
    return Head(
      identifier: identifier, version: texts["version"], highestID: highestID, metadata: entries)
  }

  private mutating func readMetadata() throws(DataError) -> PropertyList? {
    var ahead = xml
    var list: PropertyList?
    if try XMLStoreReader.element(in: "metadata", &ahead) != nil {
      list = try PropertyList(&xml)
      _ = try element(in: "metadata")
    } else {
      xml = ahead
    }
    return list
  }

  // MARK: Objects

  /// The next object; nil at the end of the document.
  mutating func nextObject() throws(DataError) -> Object? {
    while let (name, attributes) = try element(in: "database") {
      let line = xml.line
      if name == "databaseInfo" {
        _ = try rest(of: name, attributes)
        continue
      }
      guard name == "object" else { throw error("stores have no element <\(name)>") }
      let id = try Self.id(attributes.value("id") ?? "", line: line)
      return Object(
        type: attributes.value("type") ?? "", id: id, line: line, attributes: attributes)
    }
    // Only comments may follow; anything else is an error.
    _ = try xml.next()
    return nil
  }

  /// The next property of the last object read; nil after its last.
  mutating func nextPart() throws(DataError) -> Part? {
    guard let (name, attributes) = try element(in: "object") else { return nil }
    guard name == "attribute" || name == "relationship" else {
      throw error("objects have no element <\(name)>")
    }
    var part = Part(isRelationship: name == "relationship", line: xml.line, attributes: attributes)
    part.text = try text(of: name)
    return part
  }

  /// All properties of the last object read, as an element.
  mutating func element(_ object: Object) throws(DataError) -> XMLStoreDocument.Element {
    try rest(of: "object", object.attributes)
  }

  private mutating func rest(
    of name: String, _ attributes: [XMLScanner.Attribute]
  ) throws(DataError) -> XMLStoreDocument.Element {
    var element = XMLStoreDocument.Element(name: name, attributes: attributes)
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, let attributes):
        element.children.append(try rest(of: name, attributes))
      case .text(let text): element.text += text
      case .end: return element
      }
    }
    return element
  }

  // MARK: Elements

  /// The next child element; nil at the end of the parent.
  private mutating func element(
    in parent: String
  ) throws(DataError) -> (name: String, attributes: [XMLScanner.Attribute])? {
    try Self.element(in: parent, &xml)
  }

  private static func element(
    in parent: String, _ xml: inout XMLScanner
  ) throws(DataError) -> (name: String, attributes: [XMLScanner.Attribute])? {
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, let attributes): return (name, attributes)
      case .end: return nil
      case .text(let text):
        guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
          throw DataError(line: xml.line, "there is text in <\(parent)>, outside its elements")
        }
      }
    }
    return nil
  }

  /// The text of the current element, up to its end.
  private mutating func text(of name: String) throws(DataError) -> String {
    var text = ""
    while let piece = try xml.next() {
      switch piece {
      case .text(let part): if text.isEmpty { text = part } else { text += part }
      case .end: return text
      case .start(let child, _): throw error("<\(name)> has an element <\(child)> in it")
      }
    }
    return text
  }

  /// Parses the number of an id: `z102`.
  fileprivate static func id(_ text: some StringProtocol, line: Int) throws(DataError) -> Int64 {
    guard text.first == "z", let id = Int64(text.dropFirst()), id > 0, id < Int64.max / 2 else {
      throw DataError(line: line, "'\(text)' is not the id of an object")
    }
    return id
  }
}

@available(*, unavailable) extension XMLStoreReader: Sendable {}

extension [XMLScanner.Attribute] {
  /// The value of the attribute with a name.
  fileprivate func value(_ name: String) -> String? { first { $0.name == name }?.value }
}
