/// Reads XML piece by piece out of bytes: as much of the language as plain data files use.
///
///     var xml = XMLScanner(bytes)
///     while let piece = try xml.next() { print(piece) }
///
/// Safe for bytes from anywhere: document types, with which entities would come, are refused, nothing
/// is looked up, and elements nest 64 deep at most. Names come without their prefixes.
package struct XMLScanner {
  /// What stands in a document.
  package enum Piece: Hashable, Sendable {
    /// An element begins.
    case start(String, attributes: [Attribute])
    /// An element ends; each that begins ends.
    case end(String)
    /// Text in an element, whose parts may come one by one.
    case text(String)
  }

  /// An attribute of an element.
  package struct Attribute: Hashable, Sendable {
    /// Its name, with the prefix where there is one.
    package let name: String
    /// Its value, entities replaced.
    package let value: String
  }

  private let bytes: [UInt8]
  private var place: Int
  private var open: [String] = []
  /// The element that began and ended in one tag.
  private var ending: String?
  private var hasRoot = false
  /// The line of the place, from 1 on.
  package private(set) var line = 1

  /// A scanner at the beginning of some bytes, which are UTF-8.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `DataError` where the document is none.
  package mutating func next() throws(DataError) -> Piece? {
    if let ending {
      self.ending = nil
      return .end(ending)
    }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        let raw = until("<", orEnd: true)
        if open.isEmpty {
          guard raw.allSatisfy({ $0 <= 0x20 }) else { throw error("there is text outside of it") }
          continue
        }
        return .text(try text(raw))
      }
      if at("<!--") {
        try pass("-->")
      } else if at("<![CDATA["), !open.isEmpty {
        place += 9
        let start = place
        try pass("]]>")
        return .text(try plain(bytes[start..<place - 3]))
      } else if at("<?") {
        try pass("?>")
      } else if at("<!") {
        throw error("it has a document type, which no such file needs")
      } else {
        return try tag()
      }
    }
    guard hasRoot, open.isEmpty else { throw error("it ends too early") }
    return nil
  }

  // MARK: Tags

  private mutating func tag() throws(DataError) -> Piece {
    place += 1
    guard place < bytes.count else { throw error("a tag has no end") }
    if bytes[place] == UInt8(ascii: "/") {
      place += 1
      let name = try name()
      passSpace()
      try expect(">")
      guard open.popLast() == name else { throw error("\(name) ends where it has not begun") }
      return .end(name)
    }
    guard !open.isEmpty || !hasRoot else { throw error("something follows the end") }
    hasRoot = true
    let name = try name()
    var attributes: [Attribute] = []
    while true {
      passSpace()
      if at(">") {
        place += 1
        guard open.count < 64 else { throw error("it nests too deep") }
        open.append(name)
        return .start(name, attributes: attributes)
      }
      if at("/>") {
        place += 2
        ending = name
        return .start(name, attributes: attributes)
      }
      attributes.append(try attribute())
      guard attributes.count <= 256 else { throw error("a tag has too many attributes") }
    }
  }

  private mutating func attribute() throws(DataError) -> Attribute {
    let name = try name()
    passSpace()
    try expect("=")
    passSpace()
    guard at("\"") || at("'") else { throw error("an attribute's quote is missing") }
    let quote = bytes[place]
    place += 1
    let raw = until(Unicode.Scalar(quote), orEnd: false)
    guard place < bytes.count else { throw error("an attribute's quote is not closed") }
    place += 1
    return Attribute(name: name, value: try text(raw))
  }

  /// A name without its prefix.
  private mutating func name() throws(DataError) -> String {
    var start = place
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ":"):
        start = place + 1
      case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="),
        UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
        guard place > start else { throw error("a name is missing") }
        return try plain(bytes[start..<place])
      default: break
      }
      place += 1
    }
    throw error("a tag has no end")
  }

  // MARK: Pieces

  private func error(_ reason: String) -> DataError { DataError(line: line, reason) }

  private func at(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  private mutating func expect(_ text: StaticString) throws(DataError) {
    guard at(text) else { throw error("\(text) is missing") }
    place += text.utf8CodeUnitCount
  }

  private mutating func passSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { step() }
  }

  private mutating func step() {
    if bytes[place] == 0x0A { line += 1 }
    place += 1
  }

  /// Passes over everything up to a text, and over the text.
  private mutating func pass(_ text: StaticString) throws(DataError) {
    while place < bytes.count {
      if at(text) {
        place += text.utf8CodeUnitCount
        return
      }
      step()
    }
    throw error("\(text) is missing")
  }

  private mutating func until(_ character: Unicode.Scalar, orEnd: Bool) -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count, UInt32(bytes[place]) != character.value { step() }
    return bytes[start..<place]
  }

  private func plain(_ bytes: ArraySlice<UInt8>) throws(DataError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("it is not UTF-8")
    }
    return text
  }

  /// Text with its five named entities and character numbers put in.
  private func text(_ raw: ArraySlice<UInt8>) throws(DataError) -> String {
    guard raw.contains(UInt8(ascii: "&")) else { return try plain(raw) }
    var text: [UInt8] = []
    var rest = raw
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&") else {
        text.append(byte)
        continue
      }
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        throw error("an & stands alone")
      }
      text += Array(String(try scalar(String(decoding: rest[..<end], as: UTF8.self))).utf8)
      rest = rest[(end + 1)...]
    }
    return try plain(text[...])
  }

  private func scalar(_ entity: String) throws(DataError) -> Unicode.Scalar {
    switch entity {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let digits = entity.dropFirst(entity.hasPrefix("#x") ? 2 : 1)
      guard entity.hasPrefix("#"),
        let number = UInt32(digits, radix: entity.hasPrefix("#x") ? 16 : 10),
        let scalar = Unicode.Scalar(number)
      else { throw error("nobody knows the entity &\(entity.escapingControls);") }
      return scalar
    }
  }
}

@available(*, unavailable)
extension XMLScanner: Sendable {}
