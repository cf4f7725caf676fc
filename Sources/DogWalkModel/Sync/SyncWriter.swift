/// Encodes the records that stores keep for syncing.
struct SyncWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func word(_ word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func number(_ number: Int) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func key(_ key: SyncKey) { bytes.append(contentsOf: key.bytes) }

  mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
}
