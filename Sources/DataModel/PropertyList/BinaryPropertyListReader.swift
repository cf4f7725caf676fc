#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads one binary property list: a header, objects, a table of the objects' offsets, and a trailer.
///
/// Trusts nothing. Each object is read once and shared from then on, and no byte may belong to two
/// objects, so the work is bounded by the number of bytes; what sharing makes of it is bounded by
/// `Parsed.weight` and `Parsed.height`.
struct BinaryPropertyListReader {
  /// A value, and what it would amount to if nothing in it were shared.
  private struct Parsed {
    let value: PropertyList
    /// Its bytes, and sixteen more for each value in it.
    var weight: Int
    /// How many arrays and dictionaries it nests.
    var height = 0
  }

  private enum Entry {
    case unread
    case beingRead
    case read(Parsed)
  }

  private static let header = "bplist00"
  private static let trailerSize = 32
  private static let maximumHeight = 128

  private let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let rootIndex: Int
  /// Where the objects end and the table of their offsets begins.
  private let tableOffset: Int
  private let maximumWeight: Int
  /// The bytes that belong to no object yet.
  private var freeByteCount: Int
  private var entries: [Entry]

  /// Checks the header and the trailer.
  init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= Self.header.utf8.count, bytes.starts(with: Self.header.utf8) else {
      throw .notABinaryPropertyList
    }
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard
      (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: bytes.bigEndianInteger(at: trailer + 8, size: 8)),
      let rootIndex = Int(exactly: bytes.bigEndianInteger(at: trailer + 16, size: 8)),
      let tableOffset = Int(exactly: bytes.bigEndianInteger(at: trailer + 24, size: 8)),
      tableOffset > Self.header.utf8.count, tableOffset <= trailer,
      count <= (trailer - tableOffset) / offsetSize, rootIndex < count
    else { throw .damaged(offset: trailer) }
    self.rootIndex = rootIndex
    self.tableOffset = tableOffset
    maximumWeight = 16 << 20 + 32 * bytes.count
    freeByteCount = tableOffset - Self.header.utf8.count
    entries = Array(repeating: .unread, count: count)
  }

  /// Reads the list.
  mutating func readRoot() throws(PropertyListError) -> PropertyList {
    try readObject(rootIndex, depth: 0).value
  }

  private mutating func readObject(
    _ index: Int, depth: Int
  ) throws(PropertyListError) -> Parsed {
    if case .read(let parsed) = entries[index] { return parsed }
    let entry = tableOffset + index * offsetSize
    guard
      let offset = Int(exactly: bytes.bigEndianInteger(at: entry, size: offsetSize)),
      offset >= Self.header.utf8.count, offset < tableOffset
    else { throw .damaged(offset: entry) }
    if case .beingRead = entries[index] { throw .containsItself(offset: offset) }
    entries[index] = .beingRead
    let parsed =
      switch bytes[offset] >> 4 {
      case 0xa: try readArray(at: offset, depth: depth + 1)
      case 0xd: try readDictionary(at: offset, depth: depth + 1)
      default: try readScalar(at: offset)
      }
    entries[index] = .read(parsed)
    return parsed
  }

  private mutating func readArray(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> Parsed {
    let references = try claimCounted(at: offset, unit: referenceSize)
    var (values, weight, height) = ([PropertyList](), 16, 0)
    values.reserveCapacity(references.count / referenceSize)
    for reference in stride(
      from: references.lowerBound, to: references.upperBound, by: referenceSize)
    {
      let member = try readMember(at: reference, depth: depth)
      values.append(member.value)
      weight += member.weight
      height = max(height, member.height)
      guard weight <= maximumWeight else { throw .tooLarge }
    }
    guard height < Self.maximumHeight else { throw .tooDeep }
    return Parsed(value: .array(values), weight: weight, height: height + 1)
  }

  private mutating func readDictionary(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> Parsed {
    // All keys stand before all values.
    let references = try claimCounted(at: offset, unit: 2 * referenceSize)
    let (half, count) = (references.count / 2, references.count / (2 * referenceSize))
    var (values, weight, height) = ([String: PropertyList](minimumCapacity: count), 16, 0)
    for reference in stride(
      from: references.lowerBound, to: references.lowerBound + half, by: referenceSize)
    {
      let key = try readMember(at: reference, depth: depth)
      guard case .string(let name) = key.value else { throw .unusableKey(offset: offset) }
      let member = try readMember(at: reference + half, depth: depth)
      values[name] = member.value
      weight += key.weight + member.weight
      height = max(height, member.height)
      guard weight <= maximumWeight else { throw .tooLarge }
    }
    guard values.count == count else { throw .unusableKey(offset: offset) }
    guard height < Self.maximumHeight else { throw .tooDeep }
    return Parsed(value: .dictionary(values), weight: weight, height: height + 1)
  }

  private mutating func readMember(
    at reference: Int, depth: Int
  ) throws(PropertyListError) -> Parsed {
    guard depth <= Self.maximumHeight else { throw .tooDeep }
    let index = bytes.bigEndianInteger(at: reference, size: referenceSize)
    guard index < entries.count else { throw .damaged(offset: reference) }
    return try readObject(Int(index), depth: depth)
  }
}

extension BinaryPropertyListReader {
  private mutating func readScalar(at offset: Int) throws(PropertyListError) -> Parsed {
    let (kind, size) = (bytes[offset] >> 4, Int(bytes[offset] & 0xf))
    switch (kind, size) {
    case (0x0, 8), (0x0, 9):
      _ = try claim(at: offset, size: 0)
      return Parsed(value: .boolean(size == 9), weight: 16)
    case (0x1, 0...4):
      let value = try readInteger(at: offset, size: 1 << size)
      return Parsed(value: value, weight: 16)
    case (0x2, 2):
      let bits = UInt32(try claimNumber(at: offset, size: 4))
      return Parsed(value: .real(Double(Float(bitPattern: bits))), weight: 16)
    case (0x2, 3):
      let bits = try claimNumber(at: offset, size: 8)
      return Parsed(value: .real(Double(bitPattern: bits)), weight: 16)
    case (0x3, 3):
      let seconds = Double(bitPattern: try claimNumber(at: offset, size: 8))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      return Parsed(value: .date(date), weight: 16)
    case (0x4, _):
      let content = try claimCounted(at: offset, unit: 1)
      return Parsed(value: .data(Data(bytes[content])), weight: 16 + content.count)
    case (0x5, _), (0x6, _):
      let content = try claimCounted(at: offset, unit: kind == 0x5 ? 1 : 2)
      guard let text = kind == 0x5 ? ascii(content) : utf16(content) else {
        throw .unreadableText(offset: offset)
      }
      return Parsed(value: .string(text), weight: 16 + content.count)
    case (0x8, 0..<8):
      return Parsed(value: .uid(try claimNumber(at: offset, size: size + 1)), weight: 16)
    default:
      throw .unsupportedValue(offset: offset)
    }
  }

  /// Reads a whole number: of 1, 2 or 4 bytes without a sign, of 8 or 16 with one.
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

  /// Claims an object whose marker tells, or is followed by, the count of its units.
  private mutating func claimCounted(
    at offset: Int, unit: Int
  ) throws(PropertyListError) -> Range<Int> {
    var (count, headerSize) = (UInt64(bytes[offset] & 0xf), 1)
    if count == 0xf {
      // Fifteen or more: the count is an integer object of its own.
      guard offset + 1 < tableOffset, bytes[offset + 1] & 0xfc == 0x10 else {
        throw .damaged(offset: offset)
      }
      let size = 1 << Int(bytes[offset + 1] & 0xf)
      guard size <= tableOffset - offset - 2 else { throw .damaged(offset: offset) }
      count = bytes.bigEndianInteger(at: offset + 2, size: size)
      headerSize = 2 + size
    }
    guard count <= (tableOffset - offset) / unit else { throw .damaged(offset: offset) }
    return try claim(at: offset, headerSize: headerSize, size: Int(count) * unit)
  }

  /// Takes an object's bytes out of those that are free; returns where its content lies.
  private mutating func claim(
    at offset: Int, headerSize: Int = 1, size: Int
  ) throws(PropertyListError) -> Range<Int> {
    guard
      headerSize + size <= tableOffset - offset, headerSize + size <= freeByteCount
    else { throw .damaged(offset: offset) }
    freeByteCount -= headerSize + size
    return offset + headerSize..<offset + headerSize + size
  }
}

extension UnsafeRawBufferPointer {
  /// Reads a number of 1 to 8 bytes, the most significant first.
  fileprivate func bigEndianInteger(at offset: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in offset..<offset + size { number = number << 8 | UInt64(self[index]) }
    return number
  }
}
