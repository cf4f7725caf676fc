/// A picture of Braille dots, two across and four down in each character.
///
///     var canvas = BrailleCanvas(columns: 20, rows: 5)
///     canvas.line(from: (0, 0), to: (39, 19))
///     for line in canvas.lines { print(line) }
///
/// A dot is addressed by its distance from the left and from the top. Dots outside are ignored.
package struct BrailleCanvas: Sendable {
  /// The number of dots across.
  package let width: Int
  /// The number of dots down.
  package let height: Int
  private let columns: Int
  private var cells: [UInt8]
  private var signs: [Int: Character] = [:]

  /// Creates an empty picture with a size in characters.
  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    width = self.columns * 2
    height = max(1, rows) * 4
    cells = Array(repeating: 0, count: self.columns * max(1, rows))
  }

  /// Sets a dot.
  package mutating func set(_ x: Int, _ y: Int) {
    guard let cell = cell(x, y) else { return }
    cells[cell] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// Replaces the eight dots around a position with a character.
  package mutating func mark(_ x: Int, _ y: Int, _ sign: Character) {
    if let cell = cell(x, y) { signs[cell] = sign }
  }

  /// Sets the dots on the line between two, both included.
  package mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
    let (acrossSize, downSize) = (abs(end.x - start.x), abs(end.y - start.y))
    let steps = max(acrossSize, downSize)
    guard steps > 0 else { return set(start.x, start.y) }
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      // Between two integers, so rounding gives an integer.
      let x = Double(start.x) + part * Double(end.x - start.x)
      let y = Double(start.y) + part * Double(end.y - start.y)
      set(Int(exactly: x.rounded()) ?? start.x, Int(exactly: y.rounded()) ?? start.y)
    }
  }

  /// The picture as lines of text, without trailing spaces.
  package var lines: [String] {
    stride(from: 0, to: cells.count, by: columns).map { first in
      var line = ""
      for cell in first..<first + columns {
        if let sign = signs[cell] {
          line.append(sign)
        } else if cells[cell] == 0 {
          line.append(" ")
        } else {
          line.unicodeScalars.append(Unicode.Scalar(0x2800 + UInt32(cells[cell])) ?? " ")
        }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func cell(_ x: Int, _ y: Int) -> Int? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    return y / 4 * columns + x / 2
  }

  /// The bit of each of the eight dots, row by row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
