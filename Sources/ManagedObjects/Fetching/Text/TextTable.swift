/// A table of numbers, written as text: three characters a number, six bits each.
///
/// Rows of some columns, sorted by the first. A look-up costs O(log rows) and allocates nothing.
struct TextTable: Sendable {
  let columns: Int
  let text: StaticString

  init(columns: Int, _ text: StaticString) {
    self.columns = columns
    self.text = text
  }

  /// How many rows there are.
  var count: Int { text.utf8CodeUnitCount / (3 * columns) }

  /// The number in a row and column.
  func number(_ row: Int, _ column: Int = 0) -> UInt32 {
    let place = text.utf8Start + 3 * (row * columns + column)
    return UInt32(place[0] &- 0x30) << 12 | UInt32(place[1] &- 0x30) << 6
      | UInt32(place[2] &- 0x30)
  }

  /// The last row whose first number is not above a given one, or nil.
  func row(atOrBelow number: UInt32) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.number(middle) <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// The row that begins with a number, or nil.
  func row(of number: UInt32) -> Int? {
    guard let row = row(atOrBelow: number), self.number(row) == number else { return nil }
    return row
  }
}

/// What Unicode says of single scalars, from `TextTables`.
enum ScalarData {
  /// Calls a closure with each scalar of the full canonical decomposition, in order.
  static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    switch scalar {
    case 0..<0xC0: return body(scalar)
    case 0xAC00...0xD7A3:
      let place = scalar - 0xAC00
      body(0x1100 + place / 588)
      body(0x1161 + place % 588 / 28)
      if place % 28 != 0 { body(0x11A7 + place % 28) }
      return
    case 0xF900...0xFAD9:
      let target = TextTables.ideographs.number(Int(scalar - 0xF900))
      return body(target == 0 ? scalar : target)
    case 0x2F800...0x2FA1D:
      return body(TextTables.ideographs.number(Int(scalar - 0x2F800) + 0xFADA - 0xF900))
    default: break
    }
    guard let row = TextTables.decompositions.row(of: scalar) else { return body(scalar) }
    decompose(TextTables.decompositions.number(row, 1), body)
    let second = TextTables.decompositions.number(row, 2)
    if second != 0 { decompose(second, body) }
  }

  /// The first scalar of the canonical decomposition.
  static func base(of scalar: UInt32) -> UInt32 {
    var first: UInt32?
    decompose(scalar) { if first == nil { first = $0 } }
    return first ?? scalar
  }

  /// The combining class of a mark; nil for what is no mark.
  static func markClass(_ scalar: UInt32) -> UInt8? {
    guard scalar >= 0x300 else { return nil }
    if 0xE0100...0xE01EF ~= scalar { return 0 }
    guard let row = TextTables.marks.row(atOrBelow: scalar) else { return nil }
    let run = TextTables.marks.number(row, 1)
    return scalar - TextTables.marks.number(row) < run >> 8 ? UInt8(run & 0xFF) : nil
  }

  /// The one scalar that a scalar folds to (Unicode's simple case folding); itself where there is
  /// none.
  static func simpleFold(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return 0x41...0x5A ~= scalar ? scalar + 0x20 : scalar }
    guard let row = TextTables.foldings.row(atOrBelow: scalar) else { return scalar }
    let first = TextTables.foldings.number(row)
    if scalar <= TextTables.foldings.number(row, 1),
      (scalar - first) % TextTables.foldings.number(row, 2) == 0
    {
      return scalar &+ TextTables.foldings.number(row, 3) &- 1 << 17
    }
    // A capital that folds to several, such as ẞ, has a small letter all the same.
    guard scalar >= 0x1E9E, TextTables.longFoldings.row(of: scalar) != nil,
      let small = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars,
      small.count == 1, let only = small.first
    else { return scalar }
    return only.value
  }

  /// The other scalars that fold to the same one.
  static func otherCases(of scalar: UInt32) -> [UInt32] {
    let folded = simpleFold(scalar)
    return ((unfoldings[folded] ?? []) + [folded]).filter { $0 != scalar }
  }

  /// What folds to each scalar.
  private static let unfoldings: [UInt32: [UInt32]] = {
    var unfoldings: [UInt32: [UInt32]] = [:]
    func add(_ scalar: UInt32) {
      let folded = simpleFold(scalar)
      if folded != scalar { unfoldings[folded, default: []].append(scalar) }
    }
    for scalar in UInt32(0x41)...0x5A { add(scalar) }
    for row in 0..<TextTables.foldings.count where TextTables.foldings.number(row) >= 0x80 {
      let last = TextTables.foldings.number(row, 1)
      let step = TextTables.foldings.number(row, 2)
      for scalar in stride(from: TextTables.foldings.number(row), through: last, by: Int(step)) {
        add(scalar)
      }
    }
    for row in 0..<TextTables.longFoldings.count { add(TextTables.longFoldings.number(row)) }
    return unfoldings
  }()

  /// Calls a closure with each scalar of the full case folding.
  static func fold(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    guard scalar >= 0xDF, let row = TextTables.longFoldings.row(of: scalar) else {
      return body(simpleFold(scalar))
    }
    body(TextTables.longFoldings.number(row, 1))
    body(TextTables.longFoldings.number(row, 2))
    let third = TextTables.longFoldings.number(row, 3)
    if third != 0 { body(third) }
  }

  /// Whether a scalar beyond ASCII is a space, punctuation or a symbol.
  static func isSymbol(_ scalar: UInt32) -> Bool {
    guard let row = TextTables.symbols.row(atOrBelow: scalar) else { return false }
    return scalar <= TextTables.symbols.number(row, 1)
  }

  /// The value of a decimal digit of any script, or nil.
  static func digit(_ scalar: UInt32) -> UInt32? {
    if scalar < 0x80 { return 0x30...0x39 ~= scalar ? scalar - 0x30 : nil }
    guard let row = TextTables.zeros.row(atOrBelow: scalar) else { return nil }
    let value = scalar - TextTables.zeros.number(row)
    return value < 10 ? value : nil
  }
}
