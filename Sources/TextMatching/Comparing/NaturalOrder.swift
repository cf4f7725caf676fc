/// The natural order of names in a list, as in the Finder.
///
/// ```text
/// Fido  fido 2  Fido 10  Fidó 10  Rex      // "walk 2" before "walk 10", É beside E
/// ```
///
/// The same in every locale. Compares the following in succession, until there is a difference:
///
/// 1. the letters without case and marks, and runs of digits by their value; spaces come before
///    punctuation, symbols, digits and letters (ASCII as in CLDR's root collation; other scripts by
///    their scalars);
/// 2. the marks, and the digits one by one: `e` before `é`, `02` before `2`;
/// 3. the case: `a` before `A`.
///
/// Only canonically equivalent texts are equal. O(n); texts in ASCII allocate nothing.
package enum NaturalOrder {
  /// Compares two strings.
  ///
  ///     NaturalOrder.compare("Rex 2", "Rex 10") < 0   // true
  package static func compare(_ one: String, _ other: String) -> Int {
    var (one, other) = (one, other)
    return one.withUTF8 { mine in
      other.withUTF8 { compare(UnsafeRawBufferPointer(mine), UnsafeRawBufferPointer($0)) }
    }
  }

  /// Negative, zero or positive if a text sorts before, equal to or after another.
  package static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int
  {
    let isASCII = one.allSatisfy { $0 < 0x80 } && other.allSatisfy { $0 < 0x80 }
    let letters: Int
    if isASCII {
      letters = compareLetters(one, other)
    } else {
      letters = folded(one).withUnsafeBytes { first in
        folded(other).withUnsafeBytes { compareLetters(first, $0) }
      }
    }
    if letters != 0 { return letters }
    let marks = compareTexts(one, other, .caseInsensitive)
    if marks != 0 { return marks }
    if isASCII { return compareCase(one, other) }
    return TextFolding.fold(one, .normalized).withUnsafeBytes { first in
      TextFolding.fold(other, .normalized).withUnsafeBytes { compareCase(first, $0) }
    }
  }

  // MARK: Letters and numbers

  /// Compares folded texts by their letters, and runs of digits by value.
  private static func compareLetters(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
  ) -> Int {
    var (first, second) = (0, 0)
    while first < one.count, second < other.count {
      if isDigit(one[first]), isDigit(other[second]) {
        let order = compareNumbers(one, &first, other, &second)
        if order != 0 { return order }
        continue
      }
      let (mine, theirs) = (weight(in: one, at: &first), weight(in: other, at: &second))
      if mine != theirs { return mine < theirs ? -1 : 1 }
    }
    return (one.count - first) - (other.count - second)
  }

  /// Compares the numbers that begin at two indices, and advances the indices past them.
  private static func compareNumbers(
    _ one: UnsafeRawBufferPointer, _ first: inout Int, _ other: UnsafeRawBufferPointer,
    _ second: inout Int
  ) -> Int {
    let mine = digits(in: one, at: &first)
    let theirs = digits(in: other, at: &second)
    if mine.count != theirs.count { return mine.count - theirs.count }
    return compareBytes(
      UnsafeRawBufferPointer(rebasing: one[mine]), UnsafeRawBufferPointer(rebasing: other[theirs]))
  }

  /// The digits of a number without leading zeros.
  private static func digits(
    in text: UnsafeRawBufferPointer, at index: inout Int
  ) -> Range<Int> {
    while index < text.count, text[index] == 0x30 { index += 1 }
    let start = index
    while index < text.count, isDigit(text[index]) { index += 1 }
    return start..<index
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The collation weight of the scalar at an index: its class in the upper bits, then the scalar.
  private static func weight(in text: UnsafeRawBufferPointer, at index: inout Int) -> UInt32 {
    let byte = text[index]
    if byte < 0x80 {
      index += 1
      return UInt32(asciiRanks.utf8Start[Int(byte)]) << 24 | UInt32(byte | (byte & 0x40) >> 1)
    }
    let scalar = UTF8Reader.scalar(in: text, at: &index)
    return (ScalarData.isSymbol(scalar) ? symbolRank : letterRank) << 24 | scalar
  }

  // Control characters, space, then ASCII's symbols, `0` and letters, each with its rank from `!`
  // on. All letters have the same rank and are distinguished by their lower bits.
  private static let asciiRanks: StaticString = """
    !!!!!!!!!#####!!!!!!!!!!!!!!!!!!$+/;E<:.017?('-8]]]]]]]]]]*)@AB,\
    6^^^^^^^^^^^^^^^^^^^^^^^^^^293>&=^^^^^^^^^^^^^^^^^^^^^^^^^^4C5D!
    """
  private static let symbolRank = UInt32(UInt8(ascii: "P"))
  private static let letterRank = UInt32(UInt8(ascii: "^"))

  /// A text without case and marks, with ASCII digits, and with letters that differ only by a
  /// stroke replaced by the plain ones.
  private static func folded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    let bytes = TextFolding.fold(text, [.caseInsensitive, .diacriticInsensitive])
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index < bytes.count {
        let scalar = UTF8Reader.scalar(in: bytes, at: &index)
        switch scalar {
        case 0..<0x80: plain.append(UInt8(scalar))
        case 0xA0, 0x2000...0x200A, 0x202F, 0x3000: plain.append(UInt8(ascii: " "))
        case 0xE6: plain += [UInt8(ascii: "a"), UInt8(ascii: "e")]
        case 0x111: plain.append(UInt8(ascii: "d"))
        case 0x127: plain.append(UInt8(ascii: "h"))
        case 0x131: plain.append(UInt8(ascii: "i"))
        case 0x142: plain.append(UInt8(ascii: "l"))
        case 0xF8: plain.append(UInt8(ascii: "o"))
        case 0x153: plain += [UInt8(ascii: "o"), UInt8(ascii: "e")]
        case 0x167: plain.append(UInt8(ascii: "t"))
        default:
          if let digit = ScalarData.digit(scalar) {
            plain.append(UInt8(0x30 + digit))
          } else {
            UTF8Reader.append(scalar, to: &plain)
          }
        }
      }
    }
    return plain
  }

  // MARK: Case

  /// Compares texts that differ only in case: lower case first.
  private static func compareCase(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
  ) -> Int {
    var (first, second) = (0, 0)
    while first < one.count, second < other.count {
      let mine = UTF8Reader.scalar(in: one, at: &first)
      let theirs = UTF8Reader.scalar(in: other, at: &second)
      guard mine != theirs else { continue }
      let isMineSmall = ScalarData.simpleFold(mine) == mine
      let isTheirsSmall = ScalarData.simpleFold(theirs) == theirs
      if isMineSmall != isTheirsSmall { return isMineSmall ? -1 : 1 }
      return mine < theirs ? -1 : 1
    }
    return (one.count - first) - (other.count - second)
  }
}
