/// A text made ready for comparing with many others under some options.
///
///     let fido = FoldedText("Fido", [.caseInsensitive])
///     fido.isPrefix(of: row.bytes(slot))
///
/// What predicates call for `==`, `<`, `BEGINSWITH`, `ENDSWITH` and `CONTAINS` with options, in
/// memory and as functions within SQL alike. The other text is UTF-8 of any origin; wrong bytes count
/// as U+FFFD. While that is ASCII a comparison allocates nothing. O(n) each; contains O(n · m).
struct FoldedText: Sendable, Hashable {
  /// The folded text in UTF-8.
  let bytes: [UInt8]
  let options: TextOptions

  init(_ text: String, _ options: TextOptions) {
    var text = text
    self.options = options.effective
    bytes = text.withUTF8 { TextFolding.fold(UnsafeRawBufferPointer($0), options.effective) }
  }

  init(utf8 text: UnsafeRawBufferPointer, _ options: TextOptions) {
    self.options = options.effective
    bytes = TextFolding.fold(text, options.effective)
  }

  /// Negative, zero or positive as this text stands before, with or behind another.
  func compare(to text: UnsafeRawBufferPointer) -> Int {
    bytes.withUnsafeBytes { mine in
      if TextFolding.isUnchanged(text, options) { return compareBytes(mine, text) }
      return TextFolding.fold(text, options).withUnsafeBytes { compareBytes(mine, $0) }
    }
  }

  /// Whether the texts are the same.
  func isEqual(to text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.place(of: $0, in: $1, options, .whole) }
  }

  /// Whether the other text begins with this one, which may be empty.
  func isPrefix(of text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.place(of: $0, in: $1, options, .start) }
  }

  /// Whether the other text ends with this one, which may be empty.
  func isSuffix(of text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.place(of: $0, in: $1, options, .end) }
  }

  /// Whether the other text has this one somewhere in it; the empty text is in every one.
  func isContained(in text: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { TextSearch.place(of: $0, in: $1, options, .anywhere) }
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

/// Compares byte by byte, as SQLite's BINARY: negative, zero or positive.
func compareBytes(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
  let count = min(one.count, other.count)
  var place = 0
  while place < count {
    if one[place] != other[place] { return one[place] < other[place] ? -1 : 1 }
    place += 1
  }
  return one.count - other.count
}

/// Compares two texts under options: negative, zero or positive.
///
/// The same order as that of folded texts' bytes. Texts in ASCII are compared without allocating.
func compareTexts(
  _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, _ options: TextOptions
) -> Int {
  let options = options.effective
  guard !options.isEmpty else { return compareBytes(one, other) }
  let foldsCase = options.contains(.caseInsensitive)
  let count = min(one.count, other.count)
  var place = 0
  while place < count {
    var (first, second) = (one[place], other[place])
    guard (first | second) < 0x80 else { break }
    if foldsCase {
      if first &- 0x41 < 26 { first |= 0x20 }
      if second &- 0x41 < 26 { second |= 0x20 }
    }
    if first != second { return first < second ? -1 : 1 }
    place += 1
  }
  let rests = (one.count - place, other.count - place)
  if rests.0 == 0, rests.1 == 0 { return 0 }
  if rests.0 == 0, other[place] < 0x80 { return -1 }
  if rests.1 == 0, one[place] < 0x80 { return 1 }
  // What is left begins one letter earlier: marks belong to the letter before them.
  place = max(0, place - 1)
  return TextFolding.fold(UnsafeRawBufferPointer(rebasing: one[place...]), options)
    .withUnsafeBytes { folded in
      TextFolding.fold(UnsafeRawBufferPointer(rebasing: other[place...]), options)
        .withUnsafeBytes { compareBytes(folded, $0) }
    }
}

/// Looks for one text in another, both folded.
private enum TextSearch {
  enum Where {
    case whole
    case start
    case end
    case anywhere
  }

  static func place(
    of needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, _ options: TextOptions,
    _ place: Where
  ) -> Bool {
    let last = text.count - needle.count
    guard last >= 0 else { return false }
    switch place {
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
    for (place, byte) in needle.enumerated() where text[start + place] != byte { return false }
    return true
  }

  /// Whether a letter ends at a place: no mark follows that belongs to it.
  private static func ends(
    _ place: Int, in text: UnsafeRawBufferPointer, _ options: TextOptions
  ) -> Bool {
    guard !options.isEmpty, place > 0, place < text.count, text[place] >= 0x80 else { return true }
    var next = place
    return ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) == nil
  }
}
