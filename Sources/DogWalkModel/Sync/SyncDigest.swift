import DataModel
import SystemLibraries

/// What stands for a value where only its being the same matters: 8 bytes of SHA-256 over the
/// property and the value; 0 where there is none.
package typealias SyncDigest = UInt64

extension SyncField {
  /// The digest of a value; 0 is never the digest of one.
  package func digest(of value: some Sequence<UInt8>) -> SyncDigest {
    var hash = SHA256()
    hash.update(data: [property])
    hash.update(data: value)
    let bytes = hash.finalize()
    let digest = bytes.withUnsafeBytes { UInt64(bigEndian: $0.load(as: UInt64.self)) }
    return max(digest, 1)
  }
}

/// A number made of all values of a thing, quickly: it differs where one of them does.
///
/// Stores keep it beside the digests, so that those need to be worked out only for what has
/// changed. The number is the same on every machine, and with it in every store.
struct SyncFingerprint {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds a number; the order counts.
  mutating func add(_ number: UInt64) {
    // Both halves of a product: each bit of either side reaches half of all others.
    let product = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }

  /// Adds a number that may be missing, which is no number.
  mutating func add(_ number: UInt64?, isThere: UInt64 = 1) {
    add(number == nil ? 0 : isThere)
    if let number { add(number) }
  }

  /// Adds a text that may be missing.
  mutating func add(_ text: String?) {
    guard var text else { return add(0 as UInt64) }
    text.withUTF8 { bytes in
      add(UInt64(bytes.count) &+ 1)
      var index = 0
      while index < bytes.count {
        var word: UInt64 = 0
        for byte in bytes[index..<min(index + 8, bytes.count)] { word = word << 8 | UInt64(byte) }
        add(word)
        index += 8
      }
    }
  }
}
