/// A table of numbers encoded as text: three characters for each number, with six bits each.
///
/// Its rows are sorted by the first column. A look-up is O(log rows) and allocates nothing.
struct UnicodeTable: Sendable {
  let columns: Int
  let text: StaticString

  init(columns: Int, _ text: StaticString) {
    self.columns = columns
    self.text = text
  }

  /// The number of rows.
  var count: Int { text.utf8CodeUnitCount / (3 * columns) }

  /// The number in a row and column.
  func number(_ row: Int, _ column: Int = 0) -> UInt32 {
    let digits = text.utf8Start + 3 * (row * columns + column)
    return UInt32(digits[0] &- 0x30) << 12 | UInt32(digits[1] &- 0x30) << 6
      | UInt32(digits[2] &- 0x30)
  }

  /// The last row whose first number is not greater than a number, or nil.
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
