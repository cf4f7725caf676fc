import SystemLibraries

/// A fast, non-cryptographic hash of all values of an object.
///
/// Stores keep it in the records, so that digests are computed only for objects that have changed.
/// It is the same on every machine, and therefore in every store.
struct SyncFingerprint {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds a number; the order matters.
  mutating func add(_ number: UInt64) {
    // Both halves of the product are used: each bit of either factor affects half of all the
    // others.
    let product = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }

  /// Adds an optional number; nil differs from every number.
  mutating func add(_ number: UInt64?, exists: UInt64 = 1) {
    add(number == nil ? 0 : exists)
    if let number { add(number) }
  }

  /// Adds an optional text.
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
