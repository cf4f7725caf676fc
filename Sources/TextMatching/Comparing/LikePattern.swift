/// A pattern of `LIKE`, parsed once and matched against many texts.
///
///     LikePattern("walk *", [.caseInsensitive]).matches(utf8)
///
/// `*` stands for any text, including the empty one, `?` for one character, and `\` escapes the
/// character after it. All other characters stand for themselves, under the given options. A
/// character is a Unicode scalar; with options, it includes the combining marks that follow.
/// Predicates use it for `LIKE`, in memory and in an SQL function alike. Never fails. O(text ·
/// pattern) in the worst case, usually O(text).
package struct LikePattern: Sendable, Hashable {
  /// The folded characters, and two bytes that UTF-8 does not contain for the wildcards.
  private let pattern: [UInt8]
  private let options: TextOptions

  private static let anyText: UInt8 = 0xFF
  private static let anyCharacter: UInt8 = 0xFE

  /// Parses a pattern.
  package init(_ text: String, _ options: TextOptions) {
    self.options = options.effective
    var pattern: [UInt8] = []
    var letters: [UInt8] = []
    func endLetters() {
      pattern += letters.withUnsafeBytes { TextFolding.fold($0, options) }
      letters.removeAll()
    }
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        letters.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "*") {
        endLetters()
        if pattern.last != Self.anyText { pattern.append(Self.anyText) }
      } else if byte == UInt8(ascii: "?") {
        endLetters()
        pattern.append(Self.anyCharacter)
      } else {
        letters.append(byte)
      }
    }
    if isEscaped { letters.append(UInt8(ascii: "\\")) }
    endLetters()
    self.pattern = pattern
  }

  /// Whether a whole text matches the pattern; the text is UTF-8 of any origin.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    pattern.withUnsafeBytes { pattern in
      if TextFolding.isUnchanged(text, options) { return matches(text, pattern) }
      return TextFolding.fold(text, options).withUnsafeBytes { matches($0, pattern) }
    }
  }

  private func matches(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer
  ) -> Bool {
    var (index, next) = (0, 0)
    // Where to continue after a mismatch: with one more byte for the last `*`.
    var retry: (index: Int, next: Int)?
    while true {
      let fits: Bool
      if next == pattern.count {
        fits = index == text.count
        if fits { return true }
      } else if pattern[next] == Self.anyText {
        fits = isCharacterStart(index, in: text)
        if fits {
          next += 1
          if next == pattern.count { return true }
          retry = (index, next)
        }
      } else if index == text.count {
        return false
      } else if pattern[next] == Self.anyCharacter {
        fits = isCharacterStart(index, in: text)
        if fits {
          next += 1
          skipCharacter(in: text, at: &index)
        }
      } else {
        fits = text[index] == pattern[next]
        if fits { (index, next) = (index + 1, next + 1) }
      }
      if fits { continue }
      guard let last = retry, last.index < text.count else { return false }
      retry = (last.index + 1, last.next)
      (index, next) = (last.index + 1, last.next)
    }
  }

  /// Whether a character starts at an index, rather than continuing the one before.
  private func isCharacterStart(_ index: Int, in text: UnsafeRawBufferPointer) -> Bool {
    guard index > 0, index < text.count, text[index] >= 0x80 else { return true }
    if text[index] & 0xC0 == 0x80 { return false }
    var next = index
    return options.isEmpty
      || ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) == nil
  }

  private func skipCharacter(in text: UnsafeRawBufferPointer, at index: inout Int) {
    _ = UTF8Reader.scalar(in: text, at: &index)
    while !options.isEmpty, index < text.count, text[index] >= 0x80 {
      var next = index
      guard ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) != nil else { return }
      index = next
    }
  }
}
