import DataModel
package import SystemLibraries

/// The key of an object in every store: a walk's or a dog's UUID, or a hash of a name key.
package struct SyncKey: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the key of a UUID.
  package init(_ uuid: UUID) {
    self = withUnsafeBytes(of: uuid.uuid) { Self($0) }
  }

  /// Creates the key of an object identified by name: a walker or a tag.
  ///
  /// - Parameters:
  ///   - nameKey: the key of the name, as `NameKey` returns it.
  ///   - kind: the type of the object, since a tag and a walker may have the same name.
  package init(nameKey: String, of kind: SyncKind) {
    let hash = SHA256.hash(data: [kind.rawValue] + Array(nameKey.utf8))
    self = hash.withUnsafeBytes { Self($0) }
  }

  /// Reads a key from the first 16 bytes of a buffer.
  package init(_ bytes: UnsafeRawBufferPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The 16 bytes, which sort like keys.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// The 16 bytes as a UUID, which is the object's own for walks and dogs.
  package var uuid: UUID {
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Returns another key for the case that this one is taken: the same for the same number, and
  /// this key for 0.
  func alternative(_ number: UInt64) -> SyncKey { SyncKey(high: high ^ number << 48, low: low) }

  /// Returns another key for an object with other contents: the same for the same contents.
  func apart(by contents: [UInt8]) -> SyncKey {
    let hash = SHA256.hash(data: contents).withUnsafeBytes {
      UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))
    }
    // The last two bytes contain the version of the UUID.
    return SyncKey(high: high ^ hash & ~0xFFFF, low: low)
  }

  /// The first byte.
  package var firstByte: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }

  /// The first two bytes, as a number.
  var firstTwoBytes: Int { Int(high >> 48) }

  /// A number derived from the key, with the distribution of a random number.
  var number: UInt64 { high ^ low }

  package static func < (one: SyncKey, other: SyncKey) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}
