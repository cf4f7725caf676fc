/// The 64-bit FNV-1a hash, which is the same in every process and every run.
///
///     FNV1a("foobar").value   // 0x85944171F73967E8
///
/// Not collision-resistant against malicious input. O(bytes). Source: Fowler, Noll and Vo,
/// draft-eastlake-fnv.
package struct FNV1a {
  /// The hash of the bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Creates the hash of a text's UTF-8 bytes.
  package init(_ text: String) { add(text) }

  /// Adds a text's UTF-8 bytes.
  package mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

  /// Adds one byte.
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
