/// The key of an object in a JSON store: its entity's name and its number, such as `Walk 7`.
struct JSONKey {
  let entityName: Substring
  let id: Int64

  /// Parses a key; nil if the text is not one.
  init?(_ text: String) {
    guard let space = text.utf8.lastIndex(of: 0x20) else { return nil }
    let digits = text.utf8[text.utf8.index(after: space)...]
    // With leading zeros allowed, one object could have several keys.
    guard let first = digits.first, first != 0x30, digits.count <= 18 else { return nil }
    var id: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      id = id * 10 + Int64(digit - 0x30)
    }
    self.id = id
    entityName = text[..<space]
  }
}
