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

  /// Appends a text as one field of a line that is split at tabs: see `String.tabSeparatedField`.
  package mutating func append(tabSeparated text: String) {
    let isDone = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.arePrintable(but: UInt8(ascii: "\\")) else { return false }
      append(contentsOf: bytes)
      return true
    }
    if isDone != true { append(text.tabSeparatedField) }
  }

  /// Appends one character of ASCII.
  @inline(__always)
  package mutating func append(ascii character: Unicode.Scalar) {
    append(UInt8(ascii: character))
  }

  /// Appends a whole number, with zeros before it up to so many digits; a minus sign is none of them.
  package mutating func append(decimal number: Int, digits: Int = 1) {
    if number < 0 { append(ascii: "-") }
    // Sixty-four bits are 20 digits at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Swift.max(digits, 20)) { places in
      var rest = number.magnitude
      var start = places.count
      while start == places.count || rest > 0 || places.count - start < digits {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        places.initializeElement(at: start, to: 0x30 + UInt8(truncatingIfNeeded: digit))
        rest = quotient
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: places[start...]))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all are printable characters of ASCII, and none of them is a certain one.
  func arePrintable(but excluded: UInt8) -> Bool {
    // To the end in any case: so the compiler may look at many at once.
    var failures: UInt8 = 0
    for place in indices {
      failures |= self[place] &- 0x20 < 0x5F ? 0 : 1
      failures |= self[place] == excluded ? 1 : 0
    }
    return failures == 0
  }
}
