import DataFormats
import SystemLibraries

extension URL {
  /// The store in a document's package, `X/StoreContent/persistentStore`; itself where it is none.
  ///
  /// `UIManagedDocument` and its kin keep their stores so.
  var storeFile: URL {
    let stored = appendingPathComponent("StoreContent").appendingPathComponent("persistentStore")
    return FileManager.default.fileExists(atPath: stored.path) ? stored : self
  }

  /// Whether it is a SQLite file, by its first bytes.
  var isStore: Bool {
    var bytes: [UInt8] = []
    let head = try? InputFile(path, atMost: 1 << 16)
    return head?.read(into: &bytes) == true && bytes.starts(with: "SQLite format 3\0".utf8)
  }
}
