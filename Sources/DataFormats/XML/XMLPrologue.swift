/// The parts of an XML document around its root element, which are skipped.
struct XMLPrologue {
  /// Whether the root element has begun.
  private(set) var hasRoot = false
  private var hasDocumentType = false

  /// Skips white space, a comment, an instruction, the declaration or the document type; returns
  /// false if the root element comes next.
  ///
  /// - Throws: `DataError` if there is anything else.
  mutating func pass(_ cursor: inout XMLCursor) throws(DataError) -> Bool {
    if cursor.index == 0, try XMLDeclaration(&cursor) != nil { return true }
    if cursor.takeSpace() { return true }
    if try Self.passRemark(&cursor) { return true }
    if cursor.isAt("<!DOCTYPE") {
      guard !hasRoot, !hasDocumentType else {
        throw cursor.error("a document type follows another one, or an element")
      }
      hasDocumentType = true
      try Self.passDocumentType(&cursor)
      return true
    }
    if cursor.isAt("</") { return false }
    guard cursor.isAt("<"), !cursor.isAt("<!") else {
      throw cursor.error("there is text outside the root element")
    }
    guard !hasRoot else { throw cursor.error("there is a second root element") }
    hasRoot = true
    return false
  }

  /// Skips a comment or a processing instruction if one comes next.
  static func passRemark(_ cursor: inout XMLCursor) throws(DataError) -> Bool {
    if cursor.take("<!--") {
      _ = try cursor.takeAll(before: "--", of: "a comment")
      guard cursor.take(">") else { throw cursor.error("-- is not allowed in a comment") }
      return true
    }
    guard cursor.take("<?") else { return false }
    guard let target = cursor.takeName() else {
      throw cursor.error("a processing instruction has no name")
    }
    guard target.lowercased() != "xml" else {
      throw cursor.error("an XML declaration is only allowed at the beginning")
    }
    guard cursor.isAt("?>") || cursor.takeSpace() else {
      throw cursor.error("the processing instruction \(target) is malformed")
    }
    _ = try cursor.takeAll(before: "?>", of: "the processing instruction \(target)")
    return true
  }

  /// Skips a document type with its declarations.
  ///
  /// Checks only as much of their grammar as is needed to find their ends.
  private static func passDocumentType(_ cursor: inout XMLCursor) throws(DataError) {
    let start = cursor
    _ = cursor.take("<!DOCTYPE")
    guard cursor.takeSpace(), cursor.takeName() != nil else {
      throw start.error("the document type has no name")
    }
    if cursor.takeSpace(), cursor.isAt("SYSTEM") || cursor.isAt("PUBLIC") {
      let count = cursor.take("SYSTEM") ? 1 : 2
      _ = cursor.take("PUBLIC")
      for _ in 0..<count {
        guard cursor.takeSpace(), try passLiteral(&cursor, from: start) else {
          throw malformed(cursor, from: start)
        }
      }
      _ = cursor.takeSpace()
    }
    if cursor.take("[") {
      while !cursor.take("]") { try passMarkup(&cursor, from: start) }
      _ = cursor.takeSpace()
    }
    guard cursor.take(">") else { throw malformed(cursor, from: start) }
  }

  /// Skips one declaration in the brackets of a document type.
  private static func passMarkup(
    _ cursor: inout XMLCursor, from start: XMLCursor
  ) throws(DataError) {
    if cursor.takeSpace() { return }
    if try passRemark(&cursor) { return }
    if cursor.take("%") {
      guard cursor.takeName() != nil, cursor.take(";") else { throw malformed(cursor, from: start) }
      return
    }
    guard cursor.take("<!") else { throw malformed(cursor, from: start) }
    while !cursor.take(">") {
      if try passLiteral(&cursor, from: start) { continue }
      guard let byte = cursor.byte, byte != UInt8(ascii: "<") else {
        throw malformed(cursor, from: start)
      }
      cursor.advance()
    }
  }

  /// Skips a text in quotes if one comes next.
  private static func passLiteral(
    _ cursor: inout XMLCursor, from start: XMLCursor
  ) throws(DataError) -> Bool {
    guard let quote = cursor.byte, quote == 0x22 || quote == 0x27 else { return false }
    cursor.advance()
    _ = cursor.takeUntil(quote, or: quote)
    guard cursor.byte != nil else { throw malformed(cursor, from: start) }
    cursor.advance()
    return true
  }

  private static func malformed(_ cursor: XMLCursor, from start: XMLCursor) -> DataError {
    cursor.byte == nil
      ? start.error("the document type has no end") : cursor.error("the document type is malformed")
  }
}
