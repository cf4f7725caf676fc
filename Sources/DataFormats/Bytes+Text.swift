/// Text in the making, as bytes of UTF-8: for what is written line after line, a hundred thousand
/// times. Each piece goes where it stays, and no `String` is made on the way.
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

  /// Appends one character of ASCII.
  @inlinable @inline(__always)
  package mutating func append(ascii character: Unicode.Scalar) {
    append(UInt8(ascii: character))
  }

  /// Appends a whole number, with zeros before it up to so many digits; a minus sign is none of
  /// them.
  package mutating func append(decimal number: Int, digits: Int = 1) {
    if number < 0 { append(ascii: "-") }
    // Sixty-four bits are 20 digits at most.
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
