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
    guard try reader.isStore() else { return nil }
    var objects: [XMLStoreObject] = []
    var ids: Set<Int64> = []
    while let found = try reader.nextObject() {
      guard ids.insert(found.id).inserted else {
        throw DataError(line: found.line, "the id z\(found.id) is another object's")
      }
      var object = XMLStoreObject(entityName: found.type, id: found.id, line: found.line)
      while let part = try reader.nextPart() {
        if part.isRelationship {
          object.relationships[part.name] = try part.ids()
        } else {
          object.attributes[part.name] = Value(
            type: part.type,
            text: part.type == "string" ? part.text.unescapedXMLStoreText : part.text)
        }
      }
      objects.append(object)
    }
    return objects
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

extension String {
  /// A string of an XML store without its escapes.
  ///
  /// A backslash is doubled; `\u` and four digits are a unit of UTF-16 with its bytes swapped, so
  /// that `\u3c00` is `<`. Whatever else stands behind a backslash stands for itself, as does what
  /// is cut short.
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
