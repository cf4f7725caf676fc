import DataFormats
import SystemLibraries

/// An object of an XML store as it is in the file, without its model.
///
///     for object in try XMLStoreObject.all(in: bytes) ?? [] {
///       print(object.entityName, object.id, object.attributes["name"]?.text ?? "")
///     }
///
/// Core Data's XML stores are a list of these. Names of entities are in upper case, names of
/// properties in lower case.
struct XMLStoreObject: Sendable {
  /// The value of an attribute.
  struct Value: Sendable {
    /// The type name: `string`, `int16`, `bool`, `date`, `binary`.
    let type: String
    /// The text, with a string's escapes decoded.
    let text: String
  }

  /// The name of its own entity, in upper case.
  let entityName: String
  /// The number after the z of its id.
  let id: Int64
  /// The line at which it begins.
  let line: Int
  /// The values of attributes by name; an attribute without a value has no entry.
  fileprivate(set) var attributes: [String: Value] = [:]
  /// The ids of the destinations by the relationship's name.
  fileprivate(set) var relationships: [String: [Int64]] = [:]

  /// Reads all objects of a store; nil if the document is not a store.
  ///
  /// Safe for untrusted input: time and memory are linear in its size.
  ///
  /// - Throws: `DataError` if the XML is not well-formed, or an id is invalid or occurs twice.
  static func all(in bytes: [UInt8]) throws(DataError) -> [XMLStoreObject]? {
    var reader = XMLStoreReader(bytes)
    guard try reader.isStore() else { return nil }
    var objects: [XMLStoreObject] = []
    var ids: Set<Int64> = []
    while let found = try reader.nextObject() {
      guard ids.insert(found.id).inserted else {
        throw DataError(line: found.line, "another object has the id z\(found.id)")
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

  /// The bytes of a binary attribute; nil if it is missing or not valid base64.
  func data(_ name: String) -> Data? {
    attributes[name].flatMap { value in
      Data(base64Encoded: String(decoding: value.text.utf8.filter { $0 > 0x20 }, as: UTF8.self))
    }
  }

  /// The text of an attribute; nil if it is missing or empty.
  func text(_ name: String) -> String? {
    attributes[name].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}

extension String {
  /// The text with the escapes of XML stores decoded.
  ///
  /// A doubled backslash stands for one; `\u` and four digits are a UTF-16 code unit with its bytes
  /// swapped, so that `\u3c00` is `<`. Any other sequence after a backslash, complete or not, is
  /// left as it is.
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
  /// Parses four hexadecimal digits; nil for anything else.
  fileprivate init?(hexadecimalUnits units: ArraySlice<UInt16>) {
    guard units.count == 4, units.allSatisfy({ $0 < 0x80 && $0 != UInt16(UInt8(ascii: "+")) })
    else { return nil }
    self.init(String(decoding: units, as: UTF16.self), radix: 16)
  }
}
