extension String {
  /// The text as a CSV field, quoted if RFC 4180 requires it.
  ///
  ///     "rain, \"cats\"".csvField   // "rain, ""cats"""
  ///     "=1+1".csvField            // '=1+1
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe before it, as it is
  /// entered there; `init(csvField:)` removes it. Control characters other than tabs and line
  /// breaks are escaped.
  package var csvField: String {
    let isPlain = utf8.withContiguousStorageIfAvailable { $0.arePlainCSV }
    if isPlain == true { return self }
    var field = isFormula ? "'" : ""
    var scalars = unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      let isEndOfLine = scalar == "\n" || scalar == "\r" && scalars.first == "\n"
      if let escape = scalar.escape, scalar.isControl || scalar.isHalfByte, scalar != "\t",
        !isEndOfLine
      {
        field += escape
      } else {
        if scalar == "\"" { field += "\"" }
        field.unicodeScalars.append(scalar)
      }
    }
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return needsQuotes || field.hasSpaceAtEnd ? "\"\(field)\"" : field
  }

  /// Creates the text from an unquoted CSV field.
  package init(csvField field: String) {
    self =
      field.utf8.first == UInt8(ascii: "'") && field.isFormula ? String(field.dropFirst()) : field
  }

  /// Whether a spreadsheet takes the text for a formula, ignoring apostrophes at its beginning.
  package var isFormula: Bool {
    let first = unicodeScalars.first { $0.value != 0x27 }
    return switch first {
    case "="?, "+"?, "-"?, "@"?, "\t"?, "\n"?, "\r"?: true
    // The full-width forms of these characters.
    case "\u{FF1D}"?, "\u{FF0B}"?, "\u{FF0D}"?, "\u{FF20}"?: true
    default: false
    }
  }

  private var hasSpaceAtEnd: Bool {
    guard let first = utf8.first, let last = utf8.last else { return false }
    return first == 0x20 || last == 0x20 || last == 0x09
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are a valid CSV field as they are: ASCII that begins with a letter or digit
  /// and contains no commas or quotes.
  fileprivate var arePlainCSV: Bool {
    guard let first, let last, first != 0x27, first >= 0x30, first != 0x3D, first != 0x40,
      last != 0x20
    else { return isEmpty }
    // Always checks every byte, so that the compiler can vectorise the loop.
    var failures: UInt8 = 0
    for byte in self {
      failures |= byte &- 0x20 < 0x5F ? 0 : 1
      failures |= byte == 0x2C || byte == 0x22 ? 1 : 0
    }
    return failures == 0
  }
}
