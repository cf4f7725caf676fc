import DataModel
import SystemLibraries

/// A digest used only to compare values: 8 bytes of SHA-256 over the property and the value; 0 for
/// no value.
package typealias SyncDigest = UInt64

extension SyncField {
  /// Returns the digest of a value, which is never 0.
  package func digest(of value: some Sequence<UInt8>) -> SyncDigest {
    var hash = SHA256()
    hash.update(data: [property])
    hash.update(data: value)
    let bytes = hash.finalize()
    let digest = bytes.withUnsafeBytes { UInt64(bigEndian: $0.load(as: UInt64.self)) }
    return max(digest, 1)
  }
}
