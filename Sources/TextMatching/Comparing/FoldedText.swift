/// A text made ready for comparing with many others under some options.
///
///     let fido = FoldedText("Fido", [.caseInsensitive])
///     fido.isPrefix(of: utf8)
///
/// What predicates call for `==`, `<`, `BEGINSWITH`, `ENDSWITH` and `CONTAINS` with options, in
/// memory and as functions within SQL alike. The other text is UTF-8 of any origin; wrong bytes
/// count as U+FFFD. While that is ASCII a comparison allocates nothing. O(n) each; contains O(n ·
/// m).
package struct FoldedText: Sendable, Hashable {
  /// The folded text in UTF-8.
  package let bytes: [UInt8]
  /// How texts are compared with it.
  package let options: TextOptions

  /// Folds a text.
  package init(_ text: String, _ options: TextOptions) {
    var text = text
    self.options = options.effective
    bytes = text.withUTF8 { TextFolding.fold(UnsafeRawBufferPointer($0), options.effective) }
  }

  /// Folds a text in UTF-8.
  package init(utf8 text: UnsafeRawBufferPointer, _ options: TextOptions) {
    self.options = options.effective
    bytes = TextFolding.fold(text, options.effective)
  }

  /// Negative, zero or positive as this text stands before, with or behind another.
  package func compare(to text: UnsafeRawBufferPointer) -> Int {
    bytes.withUnsafeBytes { mine in
      if TextFolding.isUnchanged(text, options) { return compareBytes(mine, text) }
      return TextFolding.fold(text, options).withUnsafeBytes { compareBytes(mine, $0) }
    }
  }

  /// Whether the texts are the same.
  package func isEqual(to text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.isFound($0, in: $1, options, .whole) }
  }

  /// Whether the other text begins with this one, which may be empty.
  package func isPrefix(of text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.isFound($0, in: $1, options, .start) }
  }

  /// Whether the other text ends with this one, which may be empty.
  package func isSuffix(of text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.isFound($0, in: $1, options, .end) }
  }

  /// Whether the other text has this one somewhere in it; the empty text is in every one.
  package func isContained(in text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.isFound($0, in: $1, options, .anywhere) }
  }

  /// Calls a closure with this text and another, both folded.
  private func withFolded(
    _ text: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    bytes.withUnsafeBytes { mine in
      if TextFolding.isUnchanged(text, options) { return body(mine, text) }
      return TextFolding.fold(text, options).withUnsafeBytes { body(mine, $0) }
    }
  }
}

/// Looks for one text in another, both folded.
private enum TextSearch {
  enum Position {
    case whole
    case start
    case end
    case anywhere
  }

  static func isFound(
    _ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, _ options: TextOptions,
    _ position: Position
  ) -> Bool {
    let last = text.count - needle.count
    guard last >= 0 else { return false }
    switch position {
    case .whole: return last == 0 && isThere(needle, in: text, at: 0)
    case .start: return isThere(needle, in: text, at: 0) && ends(needle.count, in: text, options)
    case .end: return isThere(needle, in: text, at: last)
    case .anywhere:
      return (0...last).contains {
        isThere(needle, in: text, at: $0) && ends($0 + needle.count, in: text, options)
      }
    }
  }

  private static func isThere(
    _ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    for (index, byte) in needle.enumerated() where text[start + index] != byte { return false }
    return true
  }

  /// Whether a letter ends at an index: no mark follows that belongs to it.
  private static func ends(
    _ index: Int, in text: UnsafeRawBufferPointer, _ options: TextOptions
  ) -> Bool {
    guard !options.isEmpty, index > 0, index < text.count, text[index] >= 0x80 else { return true }
    var next = index
    return ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) == nil
  }
}
