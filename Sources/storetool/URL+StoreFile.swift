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
  var isStore: Bool { head.starts(with: "SQLite format 3\0".utf8) }

  /// Whether it is an XML store, by its first tags.
  var isXMLStore: Bool {
    let head = head.drop { $0 <= 0x20 || $0 >= 0x80 }
    return head.first == UInt8(ascii: "<")
      && String(decoding: head, as: UTF8.self).contains("<database>")
  }

  /// The first bytes of a file; none where it is none, or cannot be read.
  private var head: [UInt8] {
    var bytes: [UInt8] = []
    var info = stat()
    // Of anything else nobody knows when its first bytes come.
    guard path.withSystemPath({ stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    _ = try? InputFile(path, atMost: 1 << 16).read(into: &bytes)
    return bytes
  }
}
