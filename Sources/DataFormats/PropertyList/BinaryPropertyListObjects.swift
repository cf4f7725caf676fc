import SystemLibraries

/// The part of a binary property list that contains the objects; reads those that are not
/// containers.
///
/// The bytes of an object are claimed before it is read, and each byte only once: so overlapping
/// objects cannot expand few bytes into many values.
struct BinaryPropertyListObjects {
  /// The whole list.
  let bytes: UnsafeRawBufferPointer
  /// The offset at which the objects end.
  private let end: Int
  /// The number of bytes not claimed yet.
  private var freeByteCount: Int

  /// Creates the part between two offsets of a list.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
    self.bytes = bytes
    self.end = end
    freeByteCount = end - start
  }

  /// Reads a value that is neither an array nor a dictionary.
  mutating func readScalar(at offset: Int) throws(PropertyListError) -> PropertyList {
    let (kind, size) = (bytes[offset] >> 4, Int(bytes[offset] & 0xf))
    switch (kind, size) {
    case (0x0, 8), (0x0, 9):
      _ = try claim(at: offset, size: 0)
      return .boolean(size == 9)
    case (0x1, 0...4):
      return try readInteger(at: offset, size: 1 << size)
    case (0x2, 2):
      let bits = UInt32(try claimNumber(at: offset, size: 4))
      return .real(Double(Float(bitPattern: bits)))
    case (0x2, 3):
      let bits = try claimNumber(at: offset, size: 8)
      return .real(Double(bitPattern: bits))
    case (0x3, 3):
      let seconds = Double(bitPattern: try claimNumber(at: offset, size: 8))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      return .date(date)
    case (0x4, _):
      let content = try claimCounted(at: offset, unit: 1)
      // From a pointer: creating `Data` from a slice looks up conformances, 50 µs on first use.
      guard let start = bytes.baseAddress, !content.isEmpty else { return .data(Data()) }
      return .data(Data(bytes: start + content.lowerBound, count: content.count))
    case (0x5, _), (0x6, _):
      let content = try claimCounted(at: offset, unit: kind == 0x5 ? 1 : 2)
      guard let text = kind == 0x5 ? ascii(content) : utf16(content) else {
        throw .unreadableText(offset: offset)
      }
      return .string(text)
    case (0x8, 0..<8):
      return .uid(try claimNumber(at: offset, size: size + 1))
    default:
      throw .unsupportedValue(offset: offset)
    }
  }

  /// Reads an integer: unsigned with 1, 2 or 4 bytes, signed with 8 or 16.
  private mutating func readInteger(
    at offset: Int, size: Int
  ) throws(PropertyListError) -> PropertyList {
    guard size == 16 else {
      return .integer(Int64(bitPattern: try claimNumber(at: offset, size: size)))
    }
    let content = try claim(at: offset, size: 16)
    let high = bytes.bigEndianInteger(at: content.lowerBound, size: 8)
    let low = bytes.bigEndianInteger(at: content.lowerBound + 8, size: 8)
    let signed = Int64(bitPattern: low)
    switch high {
    case 0: return signed >= 0 ? .integer(signed) : .unsignedInteger(low)
    case .max where signed < 0: return .integer(signed)
    default: throw .unsupportedValue(offset: offset)
    }
  }

  private func ascii(_ content: Range<Int>) -> String? {
    let text = UnsafeRawBufferPointer(rebasing: bytes[content])
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private func utf16(_ content: Range<Int>) -> String? {
    let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(validating: units, as: UTF16.self)
  }

  private mutating func claimNumber(
    at offset: Int, size: Int
  ) throws(PropertyListError) -> UInt64 {
    let content = try claim(at: offset, size: size)
    return bytes.bigEndianInteger(at: content.lowerBound, size: size)
  }

  /// Claims an object whose marker contains, or is followed by, the count of its units.
  ///
  /// Returns the range of its content, after marker and count.
  mutating func claimCounted(
    at offset: Int, unit: Int
  ) throws(PropertyListError) -> Range<Int> {
    var (count, headerSize) = (UInt64(bytes[offset] & 0xf), 1)
    if count == 0xf {
      // Fifteen or more: the count is an integer object of its own.
      guard offset + 1 < end, bytes[offset + 1] & 0xfc == 0x10 else {
        throw .damaged(offset: offset)
      }
      let size = 1 << Int(bytes[offset + 1] & 0xf)
      guard size <= end - offset - 2 else { throw .damaged(offset: offset) }
      count = bytes.bigEndianInteger(at: offset + 2, size: size)
      headerSize = 2 + size
    }
    guard count <= (end - offset) / unit else { throw .damaged(offset: offset) }
    return try claim(at: offset, headerSize: headerSize, size: Int(count) * unit)
  }

  /// Claims the bytes of an object; returns the range of its content.
  private mutating func claim(
    at offset: Int, headerSize: Int = 1, size: Int
  ) throws(PropertyListError) -> Range<Int> {
    guard
      headerSize + size <= end - offset, headerSize + size <= freeByteCount
    else { throw .damaged(offset: offset) }
    freeByteCount -= headerSize + size
    return offset + headerSize..<offset + headerSize + size
  }
}

extension UnsafeRawBufferPointer {
  /// Reads a big-endian number of 1 to 8 bytes.
  func bigEndianInteger(at offset: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in offset..<offset + size { number = number << 8 | UInt64(self[index]) }
    return number
  }
}
