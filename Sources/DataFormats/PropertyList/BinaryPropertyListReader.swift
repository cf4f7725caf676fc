/// A reader of a binary property list: a header, objects, a table of the objects' offsets, and a
/// trailer.
///
/// Safe for untrusted bytes. Each object is read once and then shared, and all objects together
/// claim no more bytes than there are, so the work is bounded by the number of bytes; expansion by
/// sharing is bounded by `Parsed.weight` and `Parsed.height`.
struct BinaryPropertyListReader {
  /// A value, with its size if nothing in it were shared.
  private struct Parsed {
    let value: PropertyList
    /// The bytes of its texts and data, plus sixteen for each value in it.
    let weight: Int
    /// The nesting depth of its arrays and dictionaries.
    let height: Int
  }

  private enum Entry {
    case unread
    case beingRead
    case read(Parsed)
  }

  private static let header = "bplist00"
  private static let trailerSize = 32
  private static let maximumHeight = 128

  private var objects: BinaryPropertyListObjects
  private let offsetSize: Int
  private let referenceSize: Int
  private let rootIndex: Int
  /// The offset at which the objects end and the table of their offsets begins.
  private let tableOffset: Int
  private let maximumWeight: Int
  private var entries: [Entry]

  /// Checks the header and the trailer.
  init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= Self.header.utf8.count, bytes.starts(with: Self.header.utf8) else {
      throw .notABinaryPropertyList
    }
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
    objects = BinaryPropertyListObjects(bytes, from: Self.header.utf8.count, to: tableOffset)
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
      let offset = Int(exactly: objects.bytes.bigEndianInteger(at: entry, size: offsetSize)),
      offset >= Self.header.utf8.count, offset < tableOffset
    else { throw .damaged(offset: entry) }
    if case .beingRead = entries[index] { throw .containsItself(offset: offset) }
    entries[index] = .beingRead
    let parsed =
      switch objects.bytes[offset] >> 4 {
      case 0xa: try readArray(at: offset, depth: depth + 1)
      case 0xd: try readDictionary(at: offset, depth: depth + 1)
      default: try readScalar(at: offset)
      }
    entries[index] = .read(parsed)
    return parsed
  }

  private mutating func readScalar(at offset: Int) throws(PropertyListError) -> Parsed {
    let value = try objects.readScalar(at: offset)
    let byteCount =
      switch value {
      case .string(let text): text.utf8.count
      case .data(let data): data.count
      default: 0
      }
    return Parsed(value: value, weight: 16 + byteCount, height: 0)
  }

  private mutating func readArray(
    at offset: Int, depth: Int
  ) throws(PropertyListError) -> Parsed {
    let references = try objects.claimCounted(at: offset, unit: referenceSize)
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
    // All keys precede all values.
    let references = try objects.claimCounted(at: offset, unit: 2 * referenceSize)
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
    let index = objects.bytes.bigEndianInteger(at: reference, size: referenceSize)
    guard index < entries.count else { throw .damaged(offset: reference) }
    return try readObject(Int(index), depth: depth)
  }
}
