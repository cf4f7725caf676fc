import DataFormats

/// The contents of `.xccurrentversion`: the folder of the version for new stores.
struct CurrentVersion: Sendable {
  /// The name of the folder with its extension; nil if the property list has none.
  let name: String?

  private static let key = "_XCCurrentVersionName"

  /// Reads a property list; nil if the bytes are not one.
  init?(_ bytes: [UInt8]) {
    guard case .dictionary(let entries)? = try? PropertyList(contents: bytes) else { return nil }
    if case .string(let text)? = entries[Self.key] { name = text } else { name = nil }
  }
}
