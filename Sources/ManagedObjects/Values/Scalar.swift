import TextMatching

/// A value in SQLite's storage classes, whatever type the model gives it.
enum Scalar: Equatable {
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case bytes([UInt8])

  /// The number as a floating-point number; nil for text and bytes.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text, .bytes: nil
    }
  }

  /// Negative, zero or positive if this value sorts before, with or after another.
  ///
  /// Follows SQLite's order of stored values: numbers by value, then text by its UTF-8, then bytes.
  func compare(_ other: Scalar) -> Int {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one == other ? 0 : one < other ? -1 : 1
    case (.integer(let one), .real(let other)): Self.order(one, other)
    case (.real(let one), .integer(let other)): -Self.order(other, one)
    case (.real(let one), .real(let other)): Self.order(one, other)
    case (.bytes(let one), .bytes(let other)), (.text(let one), .text(let other)):
      one.withUnsafeBytes { one in other.withUnsafeBytes { compareBytes(one, $0) } }
    // Only a row written by another program has a value of another storage class than its column's.
    default: storageOrder - other.storageOrder
    }
  }

  private var storageOrder: Int {
    switch self {
    case .integer, .real: 0
    case .text: 1
    case .bytes: 2
    }
  }

  /// Compares exactly: an integer may have more digits than a double holds.
  private static func order(_ one: Int64, _ other: Double) -> Int {
    if other >= 0x1p63 { return -1 }
    if other < -0x1p63 { return 1 }
    let whole = Int64(other)
    if one != whole { return one < whole ? -1 : 1 }
    return order(0.0, other - Double(whole))
  }

  private static func order(_ one: Double, _ other: Double) -> Int {
    one == other ? 0 : one < other ? -1 : 1
  }
}
