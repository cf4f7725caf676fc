import DataFormats

extension String {
  /// The text with control characters escaped: `\t`, `
  /// `, `\r`, `\x1b`, `\u202e`.
  ///
  /// Bidirectional formatting characters are escaped too: with them a name could look like another
  /// one. So are line and paragraph separators, and bytes that are not valid UTF-8 (see
  /// `systemBytes`). A backslash is not escaped; see `tabSeparatedField`.
  package var escapingControls: String { escaped(backslash: false) }

  /// The text as a field of a tab-separated line: backslashes are escaped too.
  ///
  ///     "rain\tand \\ wind".tabSeparatedField   // rain\tand \\ wind
  package var tabSeparatedField: String { escaped(backslash: true) }

  /// The text as one word for a shell, quoted if necessary.
  ///
  ///     "Old Shep".shellWord   // 'Old Shep'
  ///     "one\ntwo".shellWord   // $'one\ntwo'
  ///
  /// Control characters are written as `escapingControls` shows them, which shells read in `$'…'`
  /// (POSIX.1-2024).
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        || "-._:+,/@%".utf8.contains(byte)
    }
    let shown = escapingControls
    guard shown == self else { return inDollarQuotes }
    return isPlain && !isEmpty ? self : inSingleQuotes
  }

  /// The text as one word for a shell, always in single quotes: `'it'\''s'`.
  package var inSingleQuotes: String {
    var quoted = "'"
    for character in self { quoted += character == "'" ? "'\\''" : String(character) }
    return quoted + "'"
  }

  private var inDollarQuotes: String {
    var quoted = "$'"
    for scalar in unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      default: quoted += scalar.escape ?? String(scalar)
      }
    }
    return quoted + "'"
  }

  /// An option with the text as its value, quoted for a shell.
  ///
  ///     "Ana".shellValue(of: "by")    // --by Ana
  ///     "-Bob".shellValue(of: "by")   // --by=-Bob
  package func shellValue(of option: String) -> String {
    "--\(option)\(hasPrefix("-") ? "=" : " ")\(shellWord)"
  }

  private func escaped(backslash: Bool) -> String {
    let isPlain = utf8.withContiguousStorageIfAvailable { $0.arePlain(backslash: backslash) }
    if isPlain == true { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar == "\\", backslash {
        escaped += "\\\\"
      } else if let escape = scalar.escape {
        escaped += escape
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension [String] {
  /// The texts as operands, quoted for a shell; after `--` if one looks like an option.
  ///
  ///     ["Fido", "-x"].shellOperands   // -- Fido -x
  package var shellOperands: String {
    let words = map(\.shellWord).joined(separator: " ")
    return contains { $0.hasPrefix("-") } ? "-- \(words)" : words
  }
}

extension [UInt8] {
  /// Appends a text as a field of a tab-separated line: see `String.tabSeparatedField`.
  package mutating func append(tabSeparated text: String) {
    let isDone = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.arePlain(backslash: true) else { return false }
      append(contentsOf: bytes)
      return true
    }
    if isDone != true { append(text.tabSeparatedField) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte needs escaping: all are printable ASCII characters.
  ///
  /// - Parameter backslash: whether a backslash needs escaping.
  fileprivate func arePlain(backslash: Bool) -> Bool {
    // Zero is not printable in any case.
    let excluded = backslash ? UInt8(ascii: "\\") : 0
    // Always checks every byte, so that the compiler can vectorise the loop.
    var failures: UInt8 = 0
    for index in indices {
      failures |= self[index] &- 0x20 < 0x5F ? 0 : 1
      failures |= self[index] == excluded ? 1 : 0
    }
    return failures == 0
  }
}
