/// A pull parser for XML 1.0.
///
///     var xml = XMLScanner(Array("<gpx><trk/></gpx>".utf8))
///     while let piece = try xml.next() { print(xml.line, piece) }
///
/// The library's only XML parser, for models, property lists and GPX tracks. Strict: anything that
/// is not well-formed is an error with its line. Supports UTF-8, and UTF-16 with a byte order mark.
/// Comments, processing instructions and the document type are skipped.
///
/// Safe for untrusted bytes: no external resources are accessed, and only XML's five entities are
/// known, so none can expand or refer to a file. The nesting depth is limited by a parameter, a tag
/// to 256 attributes, and a document to 256 MiB by default. The names of elements are given without
/// their prefixes.
package struct XMLScanner {
  /// A part of a document.
  package enum Piece: Hashable, Sendable {
    /// The start of an element.
    case start(String, attributes: [Attribute])
    /// The end of an element; each element that starts also ends.
    case end(String)
    /// Text in an element, possibly in several parts.
    case text(String)
  }

  /// An attribute of an element.
  package struct Attribute: Hashable, Sendable {
    /// The name, including a prefix.
    package let name: String
    /// The value, with references resolved and with tabs and line breaks replaced by spaces.
    package let value: String
  }

  /// The line at which the piece read last begins, from 1.
  package private(set) var line = 1

  private var input: Result<XMLCursor, DataError>
  private let maximumDepth: Int
  /// The open elements, with their prefixes and the lines at which they begin.
  private var open: [(name: String, line: Int)] = []
  /// The element of an empty-element tag, whose end is returned next.
  private var ending: String?
  private var prologue = XMLPrologue()

  private static let maximumAttributeCount = 256
  /// The default limit for a document: 256 MiB.
  package static let maximumByteCount = 1 << 28

  /// Creates a scanner at the beginning of a document.
  ///
  /// - Parameters:
  ///   - maximumDepth: the maximum number of nested elements.
  ///   - maximumByteCount: the maximum size of the document in bytes.
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
  /// - Throws: `DataError` if the document is not well-formed or exceeds a limit; every later
  ///   call throws too.
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
      throw cursor.error("the elements are nested deeper than \(maximumDepth)")
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
  /// The number of bytes before the end of a CDATA section; nil if there is none.
  fileprivate var offsetOfSectionEnd: Int? {
    for index in indices.dropLast(2)
    where self[index + 2] == UInt8(ascii: ">") && self[index] == UInt8(ascii: "]")
      && self[index + 1] == UInt8(ascii: "]")
    { return index - startIndex }
    return nil
  }
}
