import DataFormats

extension String {
  /// The text with control characters made visible: `\t`, `\n`, `\r`, `\x1b`, `\u202e`.
  ///
  /// Marks that turn the direction of writing round count as control characters: with them a name
  /// could look like another one. So do the separators of lines and paragraphs, and bytes that are
  /// no UTF-8 (see `systemBytes`). A backslash stays as it is; see `tabSeparatedField`.
  package var escapingControls: String { escaped(backslash: false) }

  /// The text as one field of a line that is split at tabs: backslashes are doubled too.
  ///
  ///     "rain\tand \\ wind".tabSeparatedField   // rain\tand \\ wind
  package var tabSeparatedField: String { escaped(backslash: true) }

  /// The text as a word that a shell takes for one: in quotes where it has a space in it.
  ///
  ///     "Old Shep".shellWord   // 'Old Shep'
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        || "-._:+,/@%".utf8.contains(byte)
    }
    if isPlain, !isEmpty { return escapingControls }
    return escapingControls.inSingleQuotes
  }

  /// The text as a shell takes it for one word, whatever is in it: `'it'\''s'`.
  package var inSingleQuotes: String {
    var quoted = "'"
    for character in self { quoted += character == "'" ? "'\\''" : String(character) }
    return quoted + "'"
  }

  /// The option with the text as its value, quoted for a shell.
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
  /// The texts as operands, quoted for a shell; behind `--` where one looks like an option.
  ///
  ///     ["Fido", "-x"].shellOperands   // -- Fido -x
  package var shellOperands: String {
    let words = map(\.shellWord).joined(separator: " ")
    return contains { $0.hasPrefix("-") } ? "-- \(words)" : words
  }
}

extension [UInt8] {
  /// Appends a text as one field of a line that is split at tabs: see `String.tabSeparatedField`.
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
  /// Whether none of them needs escaping: all are printable characters of ASCII.
  ///
  /// - Parameter backslash: whether a backslash needs it.
  fileprivate func arePlain(backslash: Bool) -> Bool {
    // Zero is not printable anyway.
    let excluded = backslash ? UInt8(ascii: "\\") : 0
    // To the end in any case: so the compiler may look at many at once.
    var failures: UInt8 = 0
    for index in indices {
      failures |= self[index] &- 0x20 < 0x5F ? 0 : 1
      failures |= self[index] == excluded ? 1 : 0
    }
    return failures == 0
  }
}
