/// Arguments and file names from the system: bytes that need not be valid UTF-8.
///
///     let name = String(systemBytes: [0x61, 0xFF])   // a file name from another time
///     name.unicodeScalars.map(\.escape)              // [nil, "\\xf", "f"]
///     name.systemBytes                               // [0x61, 0xFF]
///
/// A byte that is not valid UTF-8 becomes two of Unicode's noncharacters, U+FDD0 to U+FDEF, which
/// do not occur in text; so every sequence of bytes has its own text, and valid UTF-8 is unchanged.
extension String {
  /// Creates the text that represents some bytes.
  package init(systemBytes bytes: some Collection<UInt8>) {
    // The noncharacters' UTF-8 begins with this byte, which is rare in other text.
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

  /// Creates the text of a command-line argument or an environment variable.
  package init(systemBytes start: UnsafePointer<CChar>) {
    var length = 0
    while start[length] != 0 { length += 1 }
    self = UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
      String(systemBytes: $0)
    }
  }

  /// The bytes that the text represents.
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

  /// Whether the text contains no bytes that are invalid UTF-8.
  package var isUTF8: Bool {
    !utf8.contains(0xEF) || !unicodeScalars.contains(where: \.isHalfByte)
  }

  /// Calls a body with the bytes as a path for the C library.
  package func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    isUTF8
      ? withCString(body)
      : (systemBytes + [0]).withUnsafeBytes {
        // It contains at least the final zero.
        body($0.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
  }

  private mutating func append(byte: UInt8) {
    for nibble in [byte >> 4, 0x10 | byte & 0xF] {
      // Always one of the noncharacters.
      unicodeScalars.append(Unicode.Scalar(0xFDD0 + UInt32(nibble))!)
    }
  }
}

extension Collection<UInt8> {
  /// The scalar at the beginning of the bytes; nil if they are not valid UTF-8 there.
  fileprivate var firstScalar: Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}

extension Unicode.Scalar {
  /// Whether it is one half of a byte that is not valid UTF-8.
  package var isHalfByte: Bool { (0xFDD0...0xFDEF).contains(value) }

  /// The value of the half; those from U+FDE0 on are low halves.
  package var nibble: UInt8 { UInt8(truncatingIfNeeded: value) & 0xF }
}
