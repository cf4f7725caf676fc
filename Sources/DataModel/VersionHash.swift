import DataFormats

/// The SHA-256 of everything in an entity that affects the layout of its rows.
///
///     VersionHash(hex: "c299d57af0e7c9c09b36c4fc7c5337257f901131dbd6c92d7a15836b7fa1aa4d")
///
/// Two models whose entities have equal version hashes can share a store. Core Data stores the
/// hashes in the store's metadata under `NSStoreModelVersionHashes`.
public struct VersionHash: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a version hash from its 32 bytes; nil for any other number of bytes.
  ///
  ///     VersionHash(bytes: [1, 2, 3])   // nil
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Creates a version hash from 64 hexadecimal digits; nil for any other string.
  public init?(hex: String) {
    let digits = hex.utf8.compactMap(\.hexadecimalDigit)
    guard digits.count == 64, hex.utf8.count == 64 else { return nil }
    bytes = (0..<32).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  /// The 64 hexadecimal digits, in lower case.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
