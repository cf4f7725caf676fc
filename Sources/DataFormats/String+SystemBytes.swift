/// Words and names as the system has them: bytes, which need not be UTF-8.
///
///     let name = String(systemBytes: [0x61, 0xFF])   // a file name from another time
///     name.unicodeScalars.map(\.escape)              // [nil, "\\xf", "f"]
///     name.systemBytes                               // [0x61, 0xFF]
///
/// A byte that is no UTF-8 becomes two of Unicode's noncharacters, U+FDD0 to U+FDEF, which no text
/// has; so each sequence of bytes has a text of its own, and texts that are UTF-8 stay as they are.
extension String {
  /// A text that stands for some bytes.
  package init(systemBytes bytes: some Collection<UInt8>) {
    // The noncharacters' own bytes begin so; nearly no text has one like it.
    if !bytes.contains(0xEF), let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    self = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let scalar = rest.firstScalar, !scalar.isHalfByte else {
        append(byte: rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(UTF8.width(scalar))
      unicodeScalars.append(scalar)
    }
  }

  /// A word of the command line, or a variable's value.
  package init(systemBytes start: UnsafePointer<CChar>) {
    var length = 0
    while start[length] != 0 { length += 1 }
    self = UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
      String(systemBytes: $0)
    }
  }

  /// The bytes that the text stands for.
  package var systemBytes: [UInt8] {
    guard !isUTF8 else { return Array(utf8) }
    var bytes: [UInt8] = []
    var high: UInt8?
    for scalar in unicodeScalars {
      if !scalar.isHalfByte {
        bytes.append(contentsOf: String(scalar).utf8)
      } else if let first = high {
        bytes.append(first << 4 | scalar.nibble)
        high = nil
      } else {
        high = scalar.nibble
      }
    }
    return bytes
  }

  /// Whether it stands for itself: no byte that is no UTF-8 is in it.
  package var isUTF8: Bool {
    !utf8.contains(0xEF) || !unicodeScalars.contains(where: \.isHalfByte)
  }

  /// Calls a body with the bytes as the C library takes a path.
  package func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    isUTF8
      ? withCString(body)
      : (systemBytes + [0]).withUnsafeBytes {
        // It has a zero at least.
        body($0.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
  }

  private mutating func append(byte: UInt8) {
    for nibble in [byte >> 4, 0x10 | byte & 0xF] {
      // Within the noncharacters.
      unicodeScalars.append(Unicode.Scalar(0xFDD0 + UInt32(nibble))!)
    }
  }
}

extension Collection<UInt8> {
  /// The scalar that they begin with; nil where that is no UTF-8.
  fileprivate var firstScalar: Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}

extension Unicode.Scalar {
  /// Whether it is half of a byte that is no UTF-8.
  package var isHalfByte: Bool { (0xFDD0...0xFDEF).contains(value) }

  /// The half: the low one of U+FDE0 and its neighbours too.
  package var nibble: UInt8 { UInt8(truncatingIfNeeded: value) & 0xF }
}
