/// The hash FNV-1a of 64 bits: a number for bytes that is the same in every process and every run.
///
///     FNV1a("foobar".utf8).value   // 0x85944171F73967E8
///
/// Not for bytes of somebody who wants two of one number. O(bytes). Source: Fowler, Noll and Vo,
/// draft-eastlake-fnv.
package struct FNV1a {
  /// The number of the bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number of no bytes.
  package init() {}

  /// The number of some bytes.
  package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  /// Goes on with more bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

  /// Goes on with one more byte.
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
