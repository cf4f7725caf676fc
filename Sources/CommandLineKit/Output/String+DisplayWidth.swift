extension String {
  /// The number of columns that a terminal uses for the text: wide characters and emoji take two.
  ///
  ///     "Fido".displayWidth   // 4
  ///     "ポチ".displayWidth    // 4
  ///     "🐶".displayWidth     // 2
  ///
  /// Control characters count as zero: text is printed through `escapingControls`.
  package var displayWidth: Int {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text padded with trailing spaces to a width; unchanged if it is wider.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The text padded with leading spaces to a width; unchanged if it is wider.
  package func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth)) + self
  }

  /// The text, truncated with `…` if it is wider than a width.
  package func truncated(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 0 else { return "" }
    var kept = ""
    var room = width - 1
    for character in self {
      room -= character.displayWidth
      if room < 0 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text wrapped into lines up to a width; only a word that is wider is broken.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let word = String(word)
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
        lines.append(line)
        line = ""
      }
      if line.isEmpty, word.displayWidth > width {
        var pieces = word.pieces(columns: width)
        line = pieces.removeLast()
        lines += pieces
      } else {
        line += line.isEmpty ? word : " " + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The text in pieces up to a width, each with at least one character.
  private func pieces(columns: Int) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var room = columns
    for character in self {
      room -= character.displayWidth
      if room < 0, !piece.isEmpty {
        pieces.append(piece)
        piece = ""
        room = columns - character.displayWidth
      }
      piece.append(character)
    }
    return pieces + [piece]
  }
}
