/// Folds texts, so that texts which count as equal have the same bytes.
///
/// With any option, a text is first decomposed (Unicode's form NFD); `[c]` then applies full case
/// folding, which yields Unicode's canonical caseless match (definition D145); `[d]` removes marks
/// on letters below U+0510, so that the vowels of other scripts, which are marks too, remain
/// significant. Sources: The Unicode Standard 3.11 and 3.13; that limit is Foundation's.
package enum TextFolding {
  /// Whether folding would certainly change nothing, by a quick check.
  package static func isUnchanged(_ text: UnsafeRawBufferPointer, _ options: TextOptions) -> Bool {
    guard !options.isEmpty else { return true }
    let foldsCase = options.contains(.caseInsensitive)
    return text.allSatisfy { $0 < 0x80 && !(foldsCase && $0 &- 0x41 < 26) }
  }

  /// The folded text, in UTF-8.
  package static func fold(_ text: UnsafeRawBufferPointer, _ options: TextOptions) -> [UInt8] {
    let options = options.effective
    guard !isUnchanged(text, options) else { return Array(text) }
    let foldsCase = options.contains(.caseInsensitive)
    if text.allSatisfy({ $0 < 0x80 }) { return text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }
    var scalars = decomposed(text)
    if foldsCase { scalars = caseFolded(scalars) }
    return scalars.utf8(withoutMarks: options.contains(.diacriticInsensitive))
  }

  /// A text with its case folded, in Unicode's form NFC: the same text for all spellings of a name.
  ///
  ///     TextFolding.caseFolded("STRASSE")     // "strasse"
  ///
  /// Idempotent. O(n).
  package static func caseFolded(_ text: String) -> String {
    var text = text
    return text.withUTF8 { text in
      let text = UnsafeRawBufferPointer(text)
      if text.allSatisfy({ $0 < 0x80 }) {
        return String(decoding: fold(text, .caseInsensitive), as: UTF8.self)
      }
      var scalars = caseFolded(decomposed(text))
      scalars.compose()
      return String(decoding: scalars.utf8(withoutMarks: false), as: UTF8.self)
    }
  }

  private static func decomposed(_ text: UnsafeRawBufferPointer) -> ScalarText {
    var scalars = ScalarText(capacity: text.count)
    var index = 0
    while index < text.count {
      ScalarData.decompose(UTF8Reader.scalar(in: text, at: &index)) { scalars.append($0) }
    }
    scalars.finish()
    return scalars
  }

  private static func caseFolded(_ scalars: ScalarText) -> ScalarText {
    var folded = ScalarText(capacity: scalars.scalars.count)
    for scalar in scalars.scalars {
      ScalarData.fold(scalar) { ScalarData.decompose($0) { folded.append($0) } }
    }
    folded.finish()
    return folded
  }

  /// A text without the marks that `[d]` removes, otherwise unchanged: for matching patterns.
  package static func withoutMarks(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    guard !text.allSatisfy({ $0 < 0x80 }) else { return Array(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    var isOnLetter = false
    while index < text.count {
      let scalar = UTF8Reader.scalar(in: text, at: &index)
      if ScalarData.markClass(scalar) != nil {
        if !isOnLetter { UTF8Reader.append(scalar, to: &bytes) }
        continue
      }
      let base = ScalarData.base(of: scalar)
      isOnLetter = base < ScalarText.firstLetterWhoseMarksCount
      UTF8Reader.append(isOnLetter ? base : scalar, to: &bytes)
    }
    return bytes
  }
}
