/// Folds texts: brings what shall count as the same to the same bytes.
///
/// Under any option a text is first decomposed (Unicode's form NFD); `[c]` then folds case in full,
/// which gives Unicode's canonical caseless match (definition D145); `[d]` leaves marks out that stand
/// on letters below U+0510, so that the vowels of other scripts, which are marks too, still count.
/// Sources: The Unicode Standard 3.11 and 3.13; that bound is Foundation's.
enum TextFolding {
  /// Whether folding would change nothing, as a quick look tells.
  static func isUnchanged(_ text: UnsafeRawBufferPointer, _ options: TextOptions) -> Bool {
    guard !options.isEmpty else { return true }
    let foldsCase = options.contains(.caseInsensitive)
    return text.allSatisfy { $0 < 0x80 && !(foldsCase && $0 &- 0x41 < 26) }
  }

  /// The folded text, in UTF-8.
  static func fold(_ text: UnsafeRawBufferPointer, _ options: TextOptions) -> [UInt8] {
    let options = options.effective
    guard !isUnchanged(text, options) else { return Array(text) }
    let foldsCase = options.contains(.caseInsensitive)
    if text.allSatisfy({ $0 < 0x80 }) { return text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }
    var scalars = ScalarText(capacity: text.count)
    var place = 0
    while place < text.count {
      ScalarData.decompose(UTF8Reader.scalar(in: text, at: &place)) { scalars.append($0) }
    }
    scalars.finish()
    if foldsCase {
      var folded = ScalarText(capacity: scalars.scalars.count)
      for scalar in scalars.scalars {
        ScalarData.fold(scalar) { ScalarData.decompose($0) { folded.append($0) } }
      }
      folded.finish()
      scalars = folded
    }
    return scalars.utf8(withoutMarks: options.contains(.diacriticInsensitive))
  }

  /// A text without the marks that `[d]` leaves out, all else as it was: for matching patterns.
  static func withoutMarks(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    guard !text.allSatisfy({ $0 < 0x80 }) else { return Array(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var place = 0
    var isOnLetter = false
    while place < text.count {
      let scalar = UTF8Reader.scalar(in: text, at: &place)
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

/// Scalars whose marks are being put into canonical order.
struct ScalarText {
  static let firstLetterWhoseMarksCount: UInt32 = 0x510

  private(set) var scalars: [UInt32] = []
  /// The marks since the last letter, with their combining classes.
  private var marks: [(class: UInt8, scalar: UInt32)] = []

  init(capacity: Int) { scalars.reserveCapacity(capacity) }

  mutating func append(_ scalar: UInt32) {
    let order = ScalarData.markClass(scalar) ?? 0
    guard order != 0 else {
      finish()
      return scalars.append(scalar)
    }
    // Few marks stand together; a long row of them costs what is sorted in `finish`.
    marks.append((order, scalar))
  }

  /// Puts the marks behind the letter.
  mutating func finish() {
    if marks.count > 1 {
      // Stable, as the standard library's sort is: marks of one class keep their order.
      marks.sort { $0.class < $1.class }
    }
    for mark in marks { scalars.append(mark.scalar) }
    marks.removeAll(keepingCapacity: true)
  }

  func utf8(withoutMarks: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    var isOnLetter = false
    for scalar in scalars {
      if withoutMarks {
        let isMark = ScalarData.markClass(scalar) != nil
        if isMark, isOnLetter { continue }
        if !isMark { isOnLetter = scalar < Self.firstLetterWhoseMarksCount }
      }
      UTF8Reader.append(scalar, to: &bytes)
    }
    return bytes
  }
}
