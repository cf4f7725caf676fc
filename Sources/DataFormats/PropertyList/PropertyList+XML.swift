extension PropertyList {
  /// Parses a property list in Apple's XML format.
  ///
  ///     let list = try PropertyList(xml: Array("<plist><string>Fido</string></plist>".utf8))
  ///
  /// Safe for untrusted bytes. As in the binary format, a dictionary's keys must be unique; a
  /// dictionary with the single key `CF$UID` is the UID of an object in a keyed archive.
  ///
  /// - Throws: `DataError` if the bytes are not a property list, or are nested deeper than 128
  ///   levels.
  package init(xml bytes: [UInt8]) throws(DataError) {
    var reader = XMLPropertyListReader(bytes)
    self = try reader.read()
  }

  /// Parses a property list inside another document, whose `<plist>` comes next.
  ///
  ///     var xml = XMLScanner(Array("<metadata><plist><dict/></plist></metadata>".utf8))
  ///     _ = try xml.next()
  ///     let metadata = try PropertyList(&xml)
  ///
  /// - Throws: `DataError` if no `<plist>` comes next, or its contents are invalid.
  package init(_ xml: inout XMLScanner) throws(DataError) {
    var reader = XMLPropertyListReader(xml)
    self = try reader.readList()
    xml = reader.xml
  }

  /// Parses a property list in either format, which is detected from the first bytes.
  ///
  /// - Throws: `DataError`; for the binary format, which has no lines, with line 1.
  package init(contents bytes: [UInt8]) throws(DataError) {
    guard bytes.starts(with: "bplist".utf8) else {
      try self.init(xml: bytes)
      return
    }
    do throws(PropertyListError) {
      try self.init(binary: bytes)
    } catch {
      throw DataError(line: 1, String(error.description.dropLast()))
    }
  }
}

/// A parser of one property list in XML: an element for each value, and for each key of a
/// dictionary.
private struct XMLPropertyListReader {
  private(set) var xml: XMLScanner

  init(_ xml: XMLScanner) { self.xml = xml }

  init(_ bytes: [UInt8]) {
    // The list's own element, and 128 arrays or dictionaries with a value in them.
    xml = XMLScanner(bytes, maximumDepth: 130)
  }

  mutating func read() throws(DataError) -> PropertyList {
    let list = try readList()
    // Comments may follow; anything else is an error.
    _ = try xml.next()
    return list
  }

  /// Parses the element `<plist>` and white space before it.
  mutating func readList() throws(DataError) -> PropertyList {
    var piece = try xml.next()
    while case .text(let text)? = piece, text.utf8.allSatisfy({ $0 <= 0x20 }) {
      piece = try xml.next()
    }
    guard case .start("plist", _)? = piece else {
      throw error("this is not a property list: its element is not <plist>")
    }
    guard let name = try element(in: "plist") else { throw error("the property list is empty") }
    let list = try value(name)
    guard try element(in: "plist") == nil else {
      throw error("the property list has more than one value")
    }
    return list
  }

  private func error(_ reason: String) -> DataError { DataError(line: xml.line, reason) }

  /// The next child element; nil at the end of the parent.
  private mutating func element(in parent: String) throws(DataError) -> String? {
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, _): return name
      case .end: return nil
      case .text(let text):
        guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
          throw error("there is text in <\(parent)>, outside its elements")
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
      case .text(let part): text += part
      case .end: return text
      case .start(let child, _): throw error("<\(name)> has an element <\(child)> in it")
      }
    }
    return text
  }

  private mutating func value(_ name: String) throws(DataError) -> PropertyList {
    switch name {
    case "dict": return try dictionary()
    case "array":
      var members: [PropertyList] = []
      while let name = try element(in: "array") { members.append(try value(name)) }
      return .array(members)
    case "true", "false":
      guard try text(of: name).isEmpty else { throw error("<\(name)> has text in it") }
      return .boolean(name == "true")
    case "string", "integer", "real", "date", "data":
      let line = xml.line
      let text = try text(of: name)
      guard let scalar = PropertyList(text, as: name) else {
        throw DataError(line: line, "the text of <\(name)> is not a valid value")
      }
      return scalar
    default: throw error("property lists have no element <\(name)>")
    }
  }

  private mutating func dictionary() throws(DataError) -> PropertyList {
    var entries: [String: PropertyList] = [:]
    while let name = try element(in: "dict") {
      guard name == "key" else { throw error("<\(name)> is in <dict> without a key") }
      let key = try text(of: "key")
      guard let name = try element(in: "dict"), name != "key" else {
        throw error("the key '\(key.printable)' has no value")
      }
      guard entries.updateValue(try value(name), forKey: key) == nil else {
        throw error("the key '\(key.printable)' occurs twice")
      }
    }
    if entries.count == 1, case .integer(let number)? = entries["CF$UID"], number >= 0 {
      return .uid(UInt64(number))
    }
    return .dictionary(entries)
  }
}

extension String {
  /// The text in a form that an error can quote.
  fileprivate var printable: String {
    String(unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : Character($0) })
  }
}
