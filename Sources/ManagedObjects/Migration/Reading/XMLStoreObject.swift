import DataFormats
import SystemLibraries

/// An object of an XML store as it stands in the file; nothing is known of its model.
///
///     for object in try XMLStoreObject.all(in: bytes) ?? [] {
///       print(object.entityName, object.id, object.attributes["name"]?.text ?? "")
///     }
///
/// Core Data's XML stores are a list of these. Names of entities are in upper case there, those of
/// properties in lower case.
struct XMLStoreObject: Sendable {
  /// The value of an attribute.
  struct Value: Sendable {
    /// How it is written: `string`, `int16`, `bool`, `date`, `binary`.
    let type: String
    /// The text, a string's escapes replaced.
    let text: String
  }

  /// The name of its leaf entity, in upper case.
  let entityName: String
  /// The number behind the z of its id.
  let id: Int64
  /// The line that it begins in.
  let line: Int
  /// The values by name; those that are missing have none.
  fileprivate(set) var attributes: [String: Value] = [:]
  /// The ids at the other ends of the relationships, by name.
  fileprivate(set) var relationships: [String: [Int64]] = [:]

  /// Reads all objects of a store; nil where the document is no store.
  ///
  /// Safe for bytes from anywhere: time and memory grow with their number.
  ///
  /// - Throws: `DataError` where the XML is not well-formed, or an id is none or comes twice.
  static func all(in bytes: [UInt8]) throws(DataError) -> [XMLStoreObject]? {
    var reader = XMLStoreReader(bytes)
    return try reader.readAll()
  }

  /// The bytes of a binary attribute; nil where there is none, or its text is no base64.
  func data(_ name: String) -> Data? {
    attributes[name].flatMap { value in
      Data(base64Encoded: String(decoding: value.text.utf8.filter { $0 > 0x20 }, as: UTF8.self))
    }
  }

  /// The text of an attribute; nil where there is none, or an empty one.
  func text(_ name: String) -> String? {
    attributes[name].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}

/// Reads the objects of an XML store piece by piece.
private struct XMLStoreReader {
  private var xml: XMLScanner
  private var objects: [XMLStoreObject] = []
  private var ids: Set<Int64> = []
  /// The attribute that is open, and its text so far.
  private var attribute: (name: String, type: String, text: String)?
  private var isInObject = false

  init(_ bytes: [UInt8]) { xml = XMLScanner(bytes) }

  mutating func readAll() throws(DataError) -> [XMLStoreObject]? {
    var depth = 0
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, let attributes):
        depth += 1
        if depth == 1, name != "database" { return nil }
        try start(name, attributes, depth)
      case .end:
        end(depth)
        depth -= 1
      case .text(let text): attribute?.text += text
      }
    }
    return objects
  }

  private mutating func start(
    _ element: String, _ attributes: [XMLScanner.Attribute], _ depth: Int
  ) throws(DataError) {
    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    switch (depth, element) {
    case (2, "object"):
      let id = try id(value("id") ?? "")
      guard ids.insert(id).inserted else {
        throw DataError(line: xml.line, "the id z\(id) is another object's")
      }
      objects.append(
        XMLStoreObject(entityName: value("type") ?? "", id: id, line: xml.line))
      isInObject = true
    case (3, "attribute") where isInObject:
      attribute = (value("name") ?? "", value("type") ?? "", "")
    case (3, "relationship") where isInObject:
      var ids: [Int64] = []
      for word in (value("idrefs") ?? "").split(separator: " ") { ids.append(try id(word)) }
      objects[objects.count - 1].relationships[value("name") ?? ""] = ids
    default: break
    }
  }

  private mutating func end(_ depth: Int) {
    if depth == 2 { isInObject = false }
    guard depth == 3, let (name, type, text) = attribute else { return }
    attribute = nil
    objects[objects.count - 1].attributes[name] = XMLStoreObject.Value(
      type: type, text: type == "string" ? text.unescapedXMLStoreText : text)
  }

  /// The number of an id: `z102`.
  private func id(_ text: some StringProtocol) throws(DataError) -> Int64 {
    guard text.first == "z", let id = Int64(text.dropFirst()) else {
      throw DataError(line: xml.line, "'\(text)' is no id of an object")
    }
    return id
  }
}

@available(*, unavailable) extension XMLStoreReader: Sendable {}

extension String {
  /// A string of an XML store without its escapes.
  ///
  /// A backslash is doubled; `\u` and four digits are a unit of UTF-16 with its bytes swapped, so that
  /// `\u3c00` is `<`. Whatever else stands behind a backslash stands for itself, as does what is cut
  /// short.
  var unescapedXMLStoreText: String {
    guard utf8.contains(UInt8(ascii: "\\")) else { return self }
    var units: [UInt16] = []
    var rest = Array(utf16)[...]
    let (backslash, letter) = (UInt16(UInt8(ascii: "\\")), UInt16(UInt8(ascii: "u")))
    while let unit = rest.popFirst() {
      guard unit == backslash else {
        units.append(unit)
        continue
      }
      if rest.first == backslash {
        units.append(backslash)
        rest.removeFirst()
      } else if rest.first == letter,
        let swapped = UInt16(hexadecimalUnits: rest.dropFirst().prefix(4))
      {
        units.append(swapped.byteSwapped)
        rest.removeFirst(5)
      } else {
        units.append(unit)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension UInt16 {
  /// Reads four hexadecimal digits; nil for anything else.
  fileprivate init?(hexadecimalUnits units: ArraySlice<UInt16>) {
    guard units.count == 4, units.allSatisfy({ $0 < 0x80 && $0 != UInt16(UInt8(ascii: "+")) })
    else { return nil }
    self.init(String(decoding: units, as: UTF16.self), radix: 16)
  }
}
