/// Reads XML 1.0 piece by piece out of bytes.
///
///     var xml = XMLScanner(Array("<gpx><trk/></gpx>".utf8))
///     while let piece = try xml.next() { print(xml.line, piece) }
///
/// The one reader of XML here: models, property lists, tracks. Strict: what is not well-formed is
/// an error with its line. UTF-8, and UTF-16 with its byte order mark. Comments, processing
/// instructions and the document type are passed over.
///
/// Safe for bytes from anywhere: nothing outside is ever looked up, and no entity is known but
/// XML's five, so none can grow or lead to a file. Elements nest as deep as is allowed, a tag has
/// at most 256 attributes, and a document at most 256 MiB unless told otherwise. Elements' names
/// come without their prefixes.
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
    /// Its value, references replaced, tabs and line ends made spaces.
    package let value: String
  }

  /// The line at which the piece begins that was read last, from 1 on.
  package private(set) var line = 1

  private var input: Result<XMLCursor, DataError>
  private let maximumDepth: Int
  /// The elements that are open, with their prefixes and the lines they begin at.
  private var open: [(name: String, line: Int)] = []
  /// The element that began and ended in one tag.
  private var ending: String?
  private var prologue = XMLPrologue()

  private static let maximumAttributeCount = 256
  /// How long a document may be that comes from anywhere: 256 MiB.
  package static let maximumByteCount = 1 << 28

  /// A scanner at the beginning of a document.
  ///
  /// - Parameters:
  ///   - maximumDepth: how many elements may be open at once.
  ///   - maximumByteCount: how long the document may be.
  package init(
    _ bytes: [UInt8], maximumDepth: Int = 64, maximumByteCount: Int = Self.maximumByteCount
  ) {
    self.maximumDepth = maximumDepth
    input = Result { () throws(DataError) in
      guard bytes.count <= maximumByteCount else {
        throw DataError(line: 1, "the document has more than \(maximumByteCount >> 20) MiB")
      }
      return XMLCursor(try XMLEncoding.text(of: bytes))
    }
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `DataError` where the document is not well-formed, or beyond a limit; so does every
  ///   call after that.
  package mutating func next() throws(DataError) -> Piece? {
    if let ending {
      self.ending = nil
      return .end(ending.xmlLocalName)
    }
    var cursor = try input.get()
    do throws(DataError) {
      let piece = try next(&cursor)
      input = .success(cursor)
      return piece
    } catch {
      input = .failure(error)
      throw error
    }
  }

  private mutating func next(_ cursor: inout XMLCursor) throws(DataError) -> Piece? {
    while let byte = cursor.byte {
      line = cursor.line
      if open.isEmpty {
        if try prologue.pass(&cursor) { continue }
        return try tag(&cursor)
      }
      guard byte == UInt8(ascii: "<") else { return .text(try text(&cursor)) }
      if cursor.take("<![CDATA[") {
        let content = try cursor.takeAll(before: "]]>", of: "a CDATA section")
        return .text(String(decoding: content, as: UTF8.self))
      }
      if try XMLPrologue.passRemark(&cursor) { continue }
      return try tag(&cursor)
    }
    line = cursor.line
    if let element = open.last {
      throw cursor.error("the text ends inside <\(element.name)> of line \(element.line)")
    }
    guard prologue.hasRoot else { throw cursor.error("there is no element") }
    return nil
  }

  // MARK: Text

  private func text(_ cursor: inout XMLCursor) throws(DataError) -> String {
    var text: [UInt8] = []
    while let byte = cursor.byte, byte != UInt8(ascii: "<") {
      let start = cursor.line
      let raw = cursor.takeUntil(UInt8(ascii: "<"), or: UInt8(ascii: "&"))
      if let offset = raw.offsetOfSectionEnd {
        let lines = raw.prefix(offset).count { $0 == 0x0A }
        throw DataError(line: start + lines, "]]> is not allowed in text")
      }
      text += raw
      if cursor.byte == UInt8(ascii: "&") { try cursor.takeReference(into: &text) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Tags

  private mutating func tag(_ cursor: inout XMLCursor) throws(DataError) -> Piece {
    if cursor.take("</") { return try endTag(&cursor) }
    guard cursor.take("<") else { throw cursor.error("a tag is malformed") }
    guard let name = cursor.takeName() else { throw cursor.error("a tag has no name") }
    guard open.count < maximumDepth else {
      throw cursor.error("the elements nest deeper than \(maximumDepth)")
    }
    var attributes: [Attribute] = []
    while true {
      let hasSpace = cursor.takeSpace()
      if cursor.take("/>") {
        ending = name
        return .start(name.xmlLocalName, attributes: attributes)
      }
      if cursor.take(">") {
        open.append((name, line))
        return .start(name.xmlLocalName, attributes: attributes)
      }
      guard cursor.byte != nil else { throw cursor.error("the text ends inside the tag <\(name)>") }
      guard hasSpace else { throw cursor.error("the tag <\(name)> is malformed") }
      let attribute = try attribute(&cursor, of: name)
      guard !attributes.contains(where: { $0.name == attribute.name }) else {
        throw cursor.error("the tag <\(name)> has the attribute \(attribute.name) twice")
      }
      attributes.append(attribute)
      guard attributes.count <= Self.maximumAttributeCount else {
        throw cursor.error(
          "the tag <\(name)> has more than \(Self.maximumAttributeCount) attributes")
      }
    }
  }

  private mutating func endTag(_ cursor: inout XMLCursor) throws(DataError) -> Piece {
    guard let name = cursor.takeName() else { throw cursor.error("a closing tag has no name") }
    _ = cursor.takeSpace()
    try cursor.expect(">", toEnd: "the closing tag </\(name)>")
    guard let element = open.popLast() else { throw cursor.error("</\(name)> closes no element") }
    guard element.name == name else {
      throw cursor.error("</\(name)> does not match <\(element.name)> of line \(element.line)")
    }
    return .end(name.xmlLocalName)
  }

  private func attribute(
    _ cursor: inout XMLCursor, of element: String
  ) throws(DataError) -> Attribute {
    guard let name = cursor.takeName() else {
      throw cursor.error("the tag <\(element)> has an attribute without a name")
    }
    _ = cursor.takeSpace()
    let hasEquals = cursor.take("=")
    _ = cursor.takeSpace()
    guard hasEquals, let quote = cursor.byte, quote == 0x22 || quote == 0x27 else {
      throw cursor.error("the attribute \(name) of <\(element)> has no quoted value")
    }
    cursor.advance()
    let start = cursor.line
    var value: [UInt8] = []
    while let byte = cursor.byte, byte != quote {
      switch byte {
      case UInt8(ascii: "<"):
        throw cursor.error("the attribute \(name) of <\(element)> has a < in its value")
      case UInt8(ascii: "&"): try cursor.takeReference(into: &value)
      default:
        value.append(byte == 0x0A || byte == 0x09 ? 0x20 : byte)
        cursor.advance()
      }
    }
    guard cursor.byte != nil else {
      throw DataError(
        line: start, "the value of the attribute \(name) of <\(element)> has no closing quote")
    }
    cursor.advance()
    return Attribute(name: name, value: String(decoding: value, as: UTF8.self))
  }
}

@available(*, unavailable)
extension XMLScanner: Sendable {}

extension String {
  /// An element's name without its prefix.
  fileprivate var xmlLocalName: String {
    guard let colon = utf8.lastIndex(of: UInt8(ascii: ":")) else { return self }
    return String(self[utf8.index(after: colon)...])
  }
}

extension ArraySlice<UInt8> {
  /// How many bytes stand before the end of a CDATA section; nil where none is in them.
  fileprivate var offsetOfSectionEnd: Int? {
    for index in indices.dropLast(2)
    where self[index + 2] == UInt8(ascii: ">") && self[index] == UInt8(ascii: "]")
      && self[index + 1] == UInt8(ascii: "]")
    { return index - startIndex }
    return nil
  }
}
