extension String {
  /// The text with control characters made visible: `\t`, `\n`, `\r`, `\x1b`, `\u202e`.
  ///
  /// Marks that turn the direction of writing round count as control characters: with them a name
  /// could look like another one. A backslash stays as it is; see `tabSeparatedField`.
  package var escapingControls: String { escaped(backslash: false) }

  /// The text as one field of a line that is split at tabs: backslashes are doubled too.
  ///
  ///     "rain\tand \\ wind".tabSeparatedField   // rain\tand \\ wind
  package var tabSeparatedField: String { escaped(backslash: true) }

  /// The text as one field of a line of CSV, quoted where RFC 4180 asks for it.
  ///
  ///     "rain, \"cats\"".csvField   // "rain, ""cats"""
  package var csvField: String {
    let needsQuotes = utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes || hasPrefix(" ") || hasSuffix(" ") else { return self }
    var quoted = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// The text as a word that a shell takes for one: in quotes where it has a space in it.
  ///
  ///     "Old Shep".shellWord   // 'Old Shep'
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    if isPlain, !isEmpty { return escapingControls }
    var quoted = "'"
    for character in escapingControls { quoted += character == "'" ? "'\\''" : String(character) }
    return quoted + "'"
  }

  private func escaped(backslash: Bool) -> String {
    // Whatever needs escaping is below 0x20, a backslash, or not ASCII.
    let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) && ($0 != 0x5C || !backslash) }
    if isPlain { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\" where backslash: escaped += "\\\\"
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{2028}", "\u{2029}":
        escaped += "\\u" + String(scalar.value, radix: 16)
      case _ where scalar.properties.generalCategory == .control:
        let hexadecimal = String(scalar.value, radix: 16)
        escaped += (hexadecimal.utf8.count < 2 ? "\\x0" : "\\x") + hexadecimal
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
