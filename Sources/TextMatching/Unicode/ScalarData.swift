/// Unicode's data on single scalars, from `UnicodeTables`.
enum ScalarData {
  /// Calls a closure with each scalar of the full canonical decomposition, in order.
  static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    switch scalar {
    case 0..<0xC0: return body(scalar)
    case 0xAC00...0xD7A3:
      let index = scalar - 0xAC00
      body(0x1100 + index / 588)
      body(0x1161 + index % 588 / 28)
      if index % 28 != 0 { body(0x11A7 + index % 28) }
      return
    case 0xF900...0xFAD9:
      let target = UnicodeTables.ideographs.number(Int(scalar - 0xF900))
      return body(target == 0 ? scalar : target)
    case 0x2F800...0x2FA1D:
      return body(UnicodeTables.ideographs.number(Int(scalar - 0x2F800) + 0xFADA - 0xF900))
    default: break
    }
    guard let row = UnicodeTables.decompositions.row(of: scalar) else { return body(scalar) }
    decompose(UnicodeTables.decompositions.number(row, 1), body)
    let second = UnicodeTables.decompositions.number(row, 2)
    if second != 0 { decompose(second, body) }
  }

  /// The first scalar of the canonical decomposition.
  static func base(of scalar: UInt32) -> UInt32 {
    var first: UInt32?
    decompose(scalar) { if first == nil { first = $0 } }
    return first ?? scalar
  }

  /// The scalar into which NFC composes two, or nil.
  static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if 0x1100...0x1112 ~= first, 0x1161...0x1175 ~= second {
      return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    }
    if 0xAC00...0xD7A3 ~= first, (first - 0xAC00) % 28 == 0, 0x11A8...0x11C2 ~= second {
      return first + second - 0x11A7
    }
    // Searches the rows that begin with the first scalar backwards from the last one: twenty at
    // most.
    var row = UnicodeTables.compositions.row(atOrBelow: first) ?? -1
    while row >= 0, UnicodeTables.compositions.number(row) == first {
      if UnicodeTables.compositions.number(row, 1) == second {
        return UnicodeTables.compositions.number(row, 2)
      }
      row -= 1
    }
    return nil
  }

  /// The combining class of a mark; nil for any other scalar.
  static func markClass(_ scalar: UInt32) -> UInt8? {
    guard scalar >= 0x300 else { return nil }
    if 0xE0100...0xE01EF ~= scalar { return 0 }
    guard let row = UnicodeTables.marks.row(atOrBelow: scalar) else { return nil }
    let run = UnicodeTables.marks.number(row, 1)
    return scalar - UnicodeTables.marks.number(row) < run >> 8 ? UInt8(run & 0xFF) : nil
  }

  /// The scalar's simple case folding; the scalar itself if it has none.
  static func simpleFold(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return 0x41...0x5A ~= scalar ? scalar + 0x20 : scalar }
    guard let row = UnicodeTables.foldings.row(atOrBelow: scalar) else { return scalar }
    let first = UnicodeTables.foldings.number(row)
    if scalar <= UnicodeTables.foldings.number(row, 1),
      (scalar - first) % UnicodeTables.foldings.number(row, 2) == 0
    {
      return scalar &+ UnicodeTables.foldings.number(row, 3) &- 1 << 17
    }
    // A capital letter that folds to several scalars, such as ẞ, still has a single lower-case
    // letter.
    guard scalar >= 0x1E9E, UnicodeTables.longFoldings.row(of: scalar) != nil,
      let small = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars,
      small.count == 1, let only = small.first
    else { return scalar }
    return only.value
  }

  /// The other scalars with the same simple folding.
  static func otherCases(of scalar: UInt32) -> [UInt32] {
    let folded = simpleFold(scalar)
    return ((unfoldings[folded] ?? []) + [folded]).filter { $0 != scalar }
  }

  /// The scalars that fold to each scalar.
  private static let unfoldings: [UInt32: [UInt32]] = {
    var unfoldings: [UInt32: [UInt32]] = [:]
    func add(_ scalar: UInt32) {
      let folded = simpleFold(scalar)
      if folded != scalar { unfoldings[folded, default: []].append(scalar) }
    }
    for scalar in UInt32(0x41)...0x5A { add(scalar) }
    for row in 0..<UnicodeTables.foldings.count where UnicodeTables.foldings.number(row) >= 0x80 {
      let last = UnicodeTables.foldings.number(row, 1)
      let step = UnicodeTables.foldings.number(row, 2)
      for scalar in stride(from: UnicodeTables.foldings.number(row), through: last, by: Int(step)) {
        add(scalar)
      }
    }
    for row in 0..<UnicodeTables.longFoldings.count { add(UnicodeTables.longFoldings.number(row)) }
    return unfoldings
  }()

  /// Calls a closure with each scalar of the full case folding.
  static func fold(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    guard scalar >= 0xDF, let row = UnicodeTables.longFoldings.row(of: scalar) else {
      return body(simpleFold(scalar))
    }
    body(UnicodeTables.longFoldings.number(row, 1))
    body(UnicodeTables.longFoldings.number(row, 2))
    let third = UnicodeTables.longFoldings.number(row, 3)
    if third != 0 { body(third) }
  }

  /// Whether a scalar beyond ASCII is a space, punctuation or a symbol.
  static func isSymbol(_ scalar: UInt32) -> Bool {
    guard let row = UnicodeTables.symbols.row(atOrBelow: scalar) else { return false }
    return scalar <= UnicodeTables.symbols.number(row, 1)
  }

  /// The value of a decimal digit in any script; nil for any other scalar.
  static func digit(_ scalar: UInt32) -> UInt32? {
    if scalar < 0x80 { return 0x30...0x39 ~= scalar ? scalar - 0x30 : nil }
    guard let row = UnicodeTables.zeros.row(atOrBelow: scalar) else { return nil }
    let value = scalar - UnicodeTables.zeros.number(row)
    return value < 10 ? value : nil
  }
}
