extension String {
  /// The text as one field of a line of CSV, quoted where RFC 4180 asks for it.
  ///
  ///     "rain, \"cats\"".csvField   // "rain, ""cats"""
  ///     "=1+1".csvField            // '=1+1
  ///
  /// What a spreadsheet would take for a formula has an apostrophe before it, as a person would
  /// write it there; `init(csvField:)` takes it away. Control characters but tabs and ends of lines
  /// are made visible.
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

  /// The text that a field of CSV stands for, its quotes read.
  package init(csvField field: String) {
    self =
      field.utf8.first == UInt8(ascii: "'") && field.isFormula ? String(field.dropFirst()) : field
  }

  /// Whether a spreadsheet takes it for a formula, apostrophes at its beginning left off.
  package var isFormula: Bool {
    let first = unicodeScalars.first { $0.value != 0x27 }
    return switch first {
    case "="?, "+"?, "-"?, "@"?, "\t"?, "\n"?, "\r"?: true
    // The same, as wide as an ideograph.
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
  /// Whether they are a field of CSV as they stand: ASCII that begins with a letter or digit, and
  /// has no commas or quotes.
  fileprivate var arePlainCSV: Bool {
    guard let first, let last, first != 0x27, first >= 0x30, first != 0x3D, first != 0x40,
      last != 0x20
    else { return isEmpty }
    // To the end in any case: so the compiler may look at many at once.
    var failures: UInt8 = 0
    for byte in self {
      failures |= byte &- 0x20 < 0x5F ? 0 : 1
      failures |= byte == 0x2C || byte == 0x22 ? 1 : 0
    }
    return failures == 0
  }
}
