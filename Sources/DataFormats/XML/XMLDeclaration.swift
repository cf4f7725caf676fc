/// An XML declaration: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`.
struct XMLDeclaration: Hashable {
  /// The encoding that the document declares, as written; nil if it declares none.
  private(set) var encoding: String?

  /// Parses a declaration; nil if none comes next.
  ///
  /// - Throws: `DataError` if it is malformed.
  init?(_ cursor: inout XMLCursor) throws(DataError) {
    let start = cursor
    // Otherwise it is a processing instruction such as `<?xml-stylesheet …?>`.
    guard cursor.take("<?xml"), cursor.takeSpace() else {
      cursor = start
      return nil
    }
    var values: [(name: String, value: String)] = []
    repeat {
      if cursor.isAt("?>") { break }
      guard let entry = Self.entry(&cursor) else { throw start.malformed }
      values.append(entry)
    } while cursor.takeSpace()
    guard cursor.take("?>"), Self.areInOrder(values.map(\.name)),
      values.allSatisfy({ Self.isAllowed($0.value, for: $0.name) })
    else { throw start.malformed }
    encoding = values.first { $0.name == "encoding" }?.value
  }

  private static func entry(_ cursor: inout XMLCursor) -> (name: String, value: String)? {
    guard let name = cursor.takeName() else { return nil }
    _ = cursor.takeSpace()
    guard cursor.take("=") else { return nil }
    _ = cursor.takeSpace()
    guard let quote = cursor.byte, quote == 0x22 || quote == 0x27 else { return nil }
    cursor.advance()
    let value = String(decoding: cursor.takeUntil(quote, or: quote), as: UTF8.self)
    guard cursor.byte == quote else { return nil }
    cursor.advance()
    return (name, value)
  }

  private static func areInOrder(_ names: [String]) -> Bool {
    [
      ["version"], ["version", "encoding"], ["version", "standalone"],
      ["version", "encoding", "standalone"],
    ].contains(names)
  }

  private static func isAllowed(_ value: String, for name: String) -> Bool {
    switch name {
    case "version":
      return value.utf8.count > 2 && value.hasPrefix("1.")
        && value.utf8.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) }
    case "standalone": return value == "yes" || value == "no"
    default:
      let isName = value.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
          || [0x2D, 0x2E, 0x5F].contains($0)
      }
      return isName && value.utf8.first.map { $0 >= 0x41 } ?? false
    }
  }
}

extension XMLCursor {
  fileprivate var malformed: DataError { error("the XML declaration is malformed") }
}
