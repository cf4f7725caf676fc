/// A pattern of `LIKE`, read once and matched against many texts.
///
///     LikePattern("walk *", [.caseInsensitive]).matches(row.bytes(slot))
///
/// `*` stands for any text, the empty one too, `?` for one character, and `\` takes its meaning from
/// the character behind it. Everything else stands for itself, under the options given. A character is
/// a scalar; with options, together with the marks that follow it. What predicates call for `LIKE`, in
/// memory and as a function within SQL alike. Never fails. O(text · pattern) at worst, O(text) mostly.
struct LikePattern: Sendable, Hashable {
  /// The folded letters, with two bytes between them that UTF-8 does not have.
  private let pattern: [UInt8]
  private let options: TextOptions

  private static let anyText: UInt8 = 0xFF
  private static let anyCharacter: UInt8 = 0xFE

  init(_ text: String, _ options: TextOptions) {
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

  /// Whether a whole text is as the pattern says; the text is UTF-8 of any origin.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    pattern.withUnsafeBytes { pattern in
      if TextFolding.isUnchanged(text, options) { return matches(text, pattern) }
      return TextFolding.fold(text, options).withUnsafeBytes { matches($0, pattern) }
    }
  }

  private func matches(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer
  ) -> Bool {
    var (place, next) = (0, 0)
    // Where to go on when the rest does not fit: one byte more for the last `*`.
    var retry: (place: Int, next: Int)?
    while true {
      let fits: Bool
      if next == pattern.count {
        fits = place == text.count
        if fits { return true }
      } else if pattern[next] == Self.anyText {
        fits = isCharacterStart(place, in: text)
        if fits {
          next += 1
          if next == pattern.count { return true }
          retry = (place, next)
        }
      } else if place == text.count {
        return false
      } else if pattern[next] == Self.anyCharacter {
        fits = isCharacterStart(place, in: text)
        if fits {
          next += 1
          skipCharacter(in: text, at: &place)
        }
      } else {
        fits = text[place] == pattern[next]
        if fits { (place, next) = (place + 1, next + 1) }
      }
      if fits { continue }
      guard let last = retry, last.place < text.count else { return false }
      retry = (last.place + 1, last.next)
      (place, next) = (last.place + 1, last.next)
    }
  }

  /// Whether no part of the character before reaches to a place.
  private func isCharacterStart(_ place: Int, in text: UnsafeRawBufferPointer) -> Bool {
    guard place > 0, place < text.count, text[place] >= 0x80 else { return true }
    if text[place] & 0xC0 == 0x80 { return false }
    var next = place
    return options.isEmpty
      || ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) == nil
  }

  private func skipCharacter(in text: UnsafeRawBufferPointer, at place: inout Int) {
    _ = UTF8Reader.scalar(in: text, at: &place)
    while !options.isEmpty, place < text.count, text[place] >= 0x80 {
      var next = place
      guard ScalarData.markClass(UTF8Reader.scalar(in: text, at: &next)) != nil else { return }
      place = next
    }
  }
}
