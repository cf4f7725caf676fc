import DataFormats

/// What `.xccurrentversion` says: the folder of the version that new stores are made with.
struct CurrentVersion: Sendable {
  /// The name of the folder, extension and all; nil where the property list has none.
  let name: String?

  private static let key = "_XCCurrentVersionName"

  /// Reads a property list; nil where the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard case .dictionary(let entries)? = try? PropertyList(contents: bytes) else { return nil }
    if case .string(let text)? = entries[Self.key] { name = text } else { name = nil }
  }
}
