import SystemLibraries

extension PropertyList {
  /// Appends the list in Apple's XML format, as a part of another document.
  ///
  ///     var text: [UInt8] = []
  ///     PropertyList.dictionary(["year": .integer(2026)]).appendXML(to: &text, indentation: 0)
  ///
  /// Writes an element per line with four spaces per level, and data between tabs, as Core Data
  /// does in XML stores.
  ///
  /// - Parameter indentation: the level of the element `<plist>`.
  package func appendXML(to text: inout [UInt8], indentation: Int) {
    var writer = XMLPropertyListWriter(text: text, indentation: indentation)
    // Emptied, so that the writer's text is not copied when it grows.
    text = []
    writer.line("<plist version=\"1.0\">")
    writer.nested { $0.write(self, depth: 0) }
    writer.line("</plist>")
    text = writer.text
  }

  /// The first character in the list's texts that XML does not allow; nil if there is none.
  package var firstCharacterNotInXML: Unicode.Scalar? {
    switch self {
    case .string(let text): text.unicodeScalars.first { !$0.isXMLCharacter }
    case .array(let members): members.lazy.compactMap(\.firstCharacterNotInXML).first
    case .dictionary(let entries):
      entries.lazy.compactMap {
        PropertyList.string($0).firstCharacterNotInXML ?? $1.firstCharacterNotInXML
      }.first
    default: nil
    }
  }
}

private struct XMLPropertyListWriter {
  private(set) var text: [UInt8]
  private var indentation: Int

  init(text: [UInt8], indentation: Int) {
    self.text = text
    self.indentation = indentation
  }

  mutating func line(_ content: String) {
    indent()
    text.append(content)
    text.append(0x0A)
  }

  mutating func nested(_ body: (inout Self) -> Void) {
    indentation += 1
    body(&self)
    indentation -= 1
  }

  private mutating func indent() {
    text.append(contentsOf: repeatElement(0x20, count: indentation * 4))
  }

  /// - Parameter depth: the number of arrays and dictionaries that enclose the value.
  mutating func write(_ list: PropertyList, depth: Int) {
    switch list {
    case .dictionary(let entries) where entries.isEmpty: line("<dict></dict>")
    case .dictionary(let entries):
      line("<dict>")
      nested { writer in
        for key in entries.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
          writer.element("key", key)
          // The key comes from the dictionary itself.
          writer.write(entries[key]!, depth: depth + 1)
        }
      }
      line("</dict>")
    case .array(let members) where members.isEmpty: line("<array></array>")
    case .array(let members):
      line("<array>")
      nested { writer in
        for member in members { writer.write(member, depth: depth + 1) }
      }
      line("</array>")
    case .string(let value): element("string", value)
    case .integer(let number): line("<integer>\(number)</integer>")
    case .unsignedInteger(let number): line("<integer>\(number)</integer>")
    case .real(let number): line("<real>\(number.propertyListText)</real>")
    case .boolean(let flag): line(flag ? "<true></true>" : "<false></false>")
    case .date(let date): line("<date>\(date.propertyListText)</date>")
    case .data(let data): write(data, depth: depth)
    case .uid(let number):
      let value = Int64(exactly: number).map(PropertyList.integer) ?? .unsignedInteger(number)
      write(.dictionary(["CF$UID": value]), depth: depth)
    }
  }

  private mutating func element(_ name: String, _ content: String) {
    indent()
    text.append("<\(name)>")
    text.append(xmlText: content)
    text.append("</\(name)>\n")
  }

  /// Like Apple's writer, in lines that are shorter at deeper levels.
  private mutating func write(_ data: Data, depth: Int) {
    let tabs = [UInt8](repeating: 0x09, count: min(depth, 8))
    let digits = Array(data.base64EncodedString().utf8)
    let length = 76 - 8 * tabs.count
    indent()
    text.append("<data>\n")
    for start in stride(from: 0, to: digits.count, by: length) {
      text += tabs
      text += digits[start..<min(start + length, digits.count)]
      text.append(0x0A)
    }
    text += tabs
    text.append("</data>\n")
  }
}

extension [UInt8] {
  /// Appends a text with XML's special characters escaped.
  package mutating func append(xmlText content: String) {
    for byte in content.utf8 {
      switch byte {
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "&"): append("&amp;")
      // Unescaped, it would be read as a line feed.
      case 0x0D: append("&#13;")
      default: append(byte)
      }
    }
  }
}

extension Double {
  /// The number in the spelling of Apple's writer of property lists.
  fileprivate var propertyListText: String {
    if isNaN { return "nan" }
    return isInfinite ? (self < 0 ? "-infinity" : "+infinity") : shortest
  }
}

extension Date {
  /// The date like `2026-11-21T09:00:00Z`; fractions of seconds are dropped, as Apple's writer
  /// does.
  fileprivate var propertyListText: String {
    // A property list can represent the years 1 to 9999.
    let instant = timeIntervalSinceReferenceDate
    let seconds = instant.isNaN ? 0 : instant.rounded(.down)
    let whole = Int64(min(max(seconds, -63_113_904_000), 252_423_993_599))
    var text: [UInt8] = []
    text.append(CivilTime(secondsSinceReferenceDate: whole))
    text.append("Z")
    return String(decoding: text, as: UTF8.self)
  }
}
