/// The previous value of a slot.
struct UndoValue {
  let slot: Int
  let content: Content

  /// A value in its stored form; the slot's kind gives its meaning.
  enum Content {
    case none
    case integer(Int64)
    case real(Double)
    /// The bytes of a text, a UUID or a binary value, as a range in the entry.
    case tail(Range<Int>)
  }
}
