/// An order of texts for sorting, in memory and as a collation in SQL.
package enum TextOrder: UInt8, Sendable, Hashable {
  /// By UTF-8 bytes, which is the order of scalars.
  case bytes
  /// By the bytes of the case-folded texts.
  case caseInsensitive
  /// The natural order: see `NaturalOrder`.
  case natural

  /// Negative, zero or positive if a text sorts before, equal to or after another.
  package func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .bytes: compareBytes(one, other)
    case .caseInsensitive: compareTexts(one, other, .caseInsensitive)
    case .natural: NaturalOrder.compare(one, other)
    }
  }
}
