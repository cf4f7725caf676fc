import DataModel
import Foundation

/// What `.xccurrentversion` says: the folder of the version that new stores are made with.
struct CurrentVersion: Sendable {
  /// The name of the folder, extension and all; nil where the property list has none.
  let name: String?

  private static let key = "_XCCurrentVersionName"

  /// Reads a property list; nil where the bytes are none.
  init?(_ data: Data) {
    if data.starts(with: Array("bplist".utf8)) {
      guard case .dictionary(let entries)? = try? PropertyList(binary: data) else { return nil }
      if case .string(let text)? = entries[Self.key] { name = text } else { name = nil }
      return
    }
    // Xcode's file has one entry. Foundation's reader goes one call deeper for every element that is
    // open, so it must not be given thousands of them.
    guard data.count <= 16_384, data.count(where: { $0 == UInt8(ascii: "<") }) <= 200,
      let content = try? PropertyListDecoder().decode(Content.self, from: data)
    else { return nil }
    name = content.name
  }

  private struct Content: Decodable {
    var name: String?
    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }
}
