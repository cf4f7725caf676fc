extension [UInt8] {
  /// Appends a text as a JSON string in quotes.
  ///
  /// Terminal control characters are escaped, which parsers decode.
  package mutating func append(json text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(json: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { append(json: String(decoding: Array(text.utf8), as: UTF8.self)) }
  }

  /// Appends UTF-8 bytes as a JSON string in quotes; invalid bytes become U+FFFD.
  package mutating func append(json bytes: UnsafeRawBufferPointer) {
    append(0x22)
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      append(contentsOf: bytes)
    } else {
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        append(jsonEscaping: scalar)
      }
    }
    append(0x22)
  }

  private mutating func append(jsonEscaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\u{8}": append("\\b")
    case "\t": append("\\t")
    case "\n": append("\\n")
    case "\u{C}": append("\\f")
    case "\r": append("\\r")
    case _ where scalar.escape != nil:
      let digits = String(scalar.value, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    // Every scalar has an encoding.
    default: append(contentsOf: UTF8.encode(scalar)!)
    }
  }
}
