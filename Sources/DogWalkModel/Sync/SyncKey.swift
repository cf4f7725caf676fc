import DataModel
package import SystemLibraries

/// What one thing is known by in every store: a walk's or a dog's UUID, or the key of a name.
package struct SyncKey: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The key of a UUID.
  package init(_ uuid: UUID) {
    self = withUnsafeBytes(of: uuid.uuid) { Self($0) }
  }

  /// The key of what is known by its name: somebody who walks, or a tag.
  ///
  /// - Parameters:
  ///   - nameKey: what `NameKey` makes of the name.
  ///   - kind: what it is, since a tag may be called like a walker.
  package init(nameKey: String, of kind: SyncKind) {
    let hash = SHA256.hash(data: [kind.rawValue] + Array(nameKey.utf8))
    self = hash.withUnsafeBytes { Self($0) }
  }

  /// The key whose 16 bytes lie at the beginning of some memory.
  package init(_ bytes: UnsafeRawBufferPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Its 16 bytes, which sort as keys do.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// The UUID, where it is the key of one.
  package var uuid: UUID {
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Another key, for where something else has this one: the same one for the same number, this one
  /// for 0.
  func alternative(_ number: UInt64) -> SyncKey { SyncKey(high: high ^ number << 48, low: low) }

  /// The first of its bytes.
  package var firstByte: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }

  /// The first two of its bytes, as a number.
  var firstTwoBytes: Int { Int(high >> 48) }

  /// A number made of it that is as good as random.
  var number: UInt64 { high ^ low }

  package static func < (one: SyncKey, other: SyncKey) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}

/// What a thing is that stores exchange; the numbers stand in stores.
package enum SyncKind: UInt8, Sendable {
  /// A dog, by its UUID.
  case dog = 1
  /// A walk, by its UUID.
  case walk
  /// Somebody who walks, by name.
  case walker
  /// A word that walks have in common, by name.
  case tag
}
