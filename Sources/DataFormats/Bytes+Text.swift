/// Building text as UTF-8 bytes, for output written line by line a hundred thousand times: each
/// piece is appended in place, without intermediate strings.
///
///     var line: [UInt8] = []
///     line.append("at ")
///     line.append(decimal: 7, digits: 2)
///     line.append(":")
///     line.append(decimal: 30, digits: 2)
///     String(decoding: line, as: UTF8.self)   // "at 07:30"
extension [UInt8] {
  /// Appends a text.
  package mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    if isDone == nil { append(contentsOf: text.utf8) }
  }

  /// Appends an ASCII character.
  @inlinable @inline(__always)
  package mutating func append(ascii character: Unicode.Scalar) {
    append(UInt8(ascii: character))
  }

  /// Appends an integer, padded with zeros to a number of digits, not counting a minus sign.
  package mutating func append(decimal number: Int, digits: Int = 1) {
    if number < 0 { append(ascii: "-") }
    // A 64-bit number has at most 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Swift.max(digits, 20)) { buffer in
      var rest = number.magnitude
      var start = buffer.count
      while start == buffer.count || rest > 0 || buffer.count - start < digits {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        buffer.initializeElement(at: start, to: 0x30 + UInt8(truncatingIfNeeded: digit))
        rest = quotient
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }
}
