/// A text prepared for comparison with many others under some options.
///
///     let fido = FoldedText("Fido", [.caseInsensitive])
///     fido.isPrefix(of: utf8)
///
/// Predicates use it for `==`, `<`, `BEGINSWITH`, `ENDSWITH` and `CONTAINS` with options, in memory
/// and in SQL functions alike. The other text is UTF-8 of any origin; invalid bytes count as
/// U+FFFD. Comparing with ASCII text allocates nothing. O(n) each; `isContained` O(n · m).
package struct FoldedText: Sendable, Hashable {
  /// The folded text in UTF-8.
  package let bytes: [UInt8]
  /// The options of the comparison.
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

  /// Negative, zero or positive if this text sorts before, equal to or after another.
  package func compare(to text: UnsafeRawBufferPointer) -> Int {
    bytes.withUnsafeBytes { mine in
      if TextFolding.isUnchanged(text, options) { return compareBytes(mine, text) }
      return TextFolding.fold(text, options).withUnsafeBytes { compareBytes(mine, $0) }
    }
  }

  /// Whether the texts are equal.
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

  /// Whether the other text contains this one; every text contains the empty one.
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

/// Searches for a text in another, both folded.
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
    case .whole: return last == 0 && exists(needle, in: text, at: 0)
    case .start: return exists(needle, in: text, at: 0) && ends(needle.count, in: text, options)
    case .end: return exists(needle, in: text, at: last)
    case .anywhere:
      return (0...last).contains {
        exists(needle, in: text, at: $0) && ends($0 + needle.count, in: text, options)
      }
    }
  }

  private static func exists(
    _ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    for (index, byte) in needle.enumerated() where text[start + index] != byte { return false }
    return true
  }

  /// Whether a character ends at an index, so that no combining mark follows that belongs to it.
  private static func ends(
    _ index: Int, in text: UnsafeRawBufferPointer, _ options: TextOptions
  ) -> Bool {
    guard !options.isEmpty, index > 0, index < text.count, text[index] >= 0x80 else { return true }
    var next = index
    return ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) == nil
  }
}
