/// A reader of scalars from UTF-8 of any origin.
enum UTF8Reader {
  /// Reads the scalar at an index and advances the index; U+FFFD for an invalid byte.
  static func scalar(in text: UnsafeRawBufferPointer, at index: inout Int) -> UInt32 {
    let first = text[index]
    index += 1
    guard first >= 0x80 else { return UInt32(first) }
    let count: Int
    let lowest: UInt32
    var scalar: UInt32
    switch first {
    case 0xC2...0xDF: (count, lowest, scalar) = (1, 0x80, UInt32(first & 0x1F))
    case 0xE0...0xEF: (count, lowest, scalar) = (2, 0x800, UInt32(first & 0x0F))
    case 0xF0...0xF4: (count, lowest, scalar) = (3, 0x10000, UInt32(first & 0x07))
    default: return 0xFFFD
    }
    guard index + count <= text.count else { return 0xFFFD }
    for offset in 0..<count {
      let byte = text[index + offset]
      guard byte & 0xC0 == 0x80 else { return 0xFFFD }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    guard scalar >= lowest, scalar <= 0x10FFFF, !(0xD800...0xDFFF ~= scalar) else { return 0xFFFD }
    index += count
    return scalar
  }

  /// Appends a scalar as UTF-8.
  static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    switch scalar {
    case 0..<0x80: bytes.append(UInt8(scalar))
    case 0x80..<0x800:
      bytes.append(UInt8(0xC0 | scalar >> 6))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    case 0x800..<0x10000:
      bytes.append(UInt8(0xE0 | scalar >> 12))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    default:
      bytes.append(UInt8(0xF0 | scalar >> 18))
      bytes.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    }
  }
}
