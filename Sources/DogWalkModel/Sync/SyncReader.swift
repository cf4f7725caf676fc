/// Reads what `SyncWriter` has written, with bounds checks.
struct SyncReader {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func byte() throws -> UInt8 {
    guard offset < bytes.count else { throw SyncError.unreadable }
    offset += 1
    return bytes[offset - 1]
  }

  /// Reads a big-endian number of eight bytes.
  mutating func word() throws -> UInt64 {
    guard bytes.count - offset >= 8 else { throw SyncError.unreadable }
    offset += 8
    return bytes.withUnsafeBytes {
      UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset - 8, as: UInt64.self))
    }
  }

  /// Reads all remaining words.
  mutating func words() throws -> [UInt64] {
    var words: [UInt64] = []
    while !isAtEnd { words.append(try word()) }
    return words
  }

  /// Reads a count of seven bits per byte, least significant first.
  mutating func number() throws -> Int {
    var (number, shift) = (0, 0)
    while true {
      let next = try byte()
      number |= Int(next & 0x7F) << shift
      if next & 0x80 == 0 { return number }
      shift += 7
      guard shift < 35 else { throw SyncError.unreadable }
    }
  }

  mutating func key() throws -> SyncKey {
    guard bytes.count - offset >= 16 else { throw SyncError.unreadable }
    offset += 16
    return bytes.withUnsafeBytes { SyncKey(UnsafeRawBufferPointer(rebasing: $0[(offset - 16)...])) }
  }

  /// Reads the header of a record.
  mutating func head() throws -> (key: SyncKey, flags: UInt8, fingerprint: UInt64, length: Int) {
    (try key(), try byte(), try word(), try number())
  }

  mutating func skip(_ count: Int) throws {
    guard count <= bytes.count - offset else { throw SyncError.unreadable }
    offset += count
  }
}
