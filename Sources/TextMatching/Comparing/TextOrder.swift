/// An order of texts, for sorting: in memory, and as a collation within SQL.
package enum TextOrder: UInt8, Sendable, Hashable {
  /// By the UTF-8 bytes, which is by scalars.
  case bytes
  /// By the bytes of the texts with case folded.
  case caseInsensitive
  /// As people expect a list: see `NaturalOrder`.
  case natural

  /// Negative, zero or positive as one text stands before, with or behind another.
  package func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .bytes: compareBytes(one, other)
    case .caseInsensitive: compareTexts(one, other, .caseInsensitive)
    case .natural: NaturalOrder.compare(one, other)
    }
  }
}
