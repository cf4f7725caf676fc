/// The hash FNV-1a of 64 bits: a number for bytes that is the same in every process and every run.
///
///     FNV1a("foobar").value   // 0x85944171F73967E8
///
/// Not for bytes of somebody who wants two of one number. O(bytes). Source: Fowler, Noll and Vo,
/// draft-eastlake-fnv.
package struct FNV1a {
  /// The number of the bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number of no bytes.
  package init() {}

  /// The number of a text's bytes in UTF-8.
  package init(_ text: String) { add(text) }

  /// Goes on with a text's bytes in UTF-8.
  package mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

  /// Goes on with one more byte.
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
