import CSVStores
import DataFormats
import ManagedObjects
import SystemLibraries

extension URL {
  /// The store in a document package, `X/StoreContent/persistentStore`; the URL itself if there is
  /// none.
  ///
  /// `UIManagedDocument` and similar classes store their data in such packages.
  var storeFile: URL {
    let stored = appendingPathComponent("StoreContent").appendingPathComponent("persistentStore")
    return FileManager.default.fileExists(atPath: stored.path) ? stored : self
  }

  /// Whether it is a store of any type, by its first bytes.
  var isStore: Bool { isSQLiteFile || documentType != nil }

  /// Whether it is a SQLite file, by its first bytes.
  var isSQLiteFile: Bool { head.starts(with: "SQLite format 3\0".utf8) }

  /// The type of a store that is read as a whole, by its first bytes; nil for any other file.
  ///
  /// That is a single document, or a folder with the manifest of CSV files.
  var documentType: PersistentStore.StoreType? {
    if appendingPathComponent("manifest.json").head.beginsJSON("csvStore") { return .csv }
    let head = head
    if head.starts(with: "CoreData".utf8) { return .binary }
    if head.beginsJSON("managedObjects") { return .json }
    let text = head.drop { $0 <= 0x20 || $0 >= 0x80 }
    guard text.first == UInt8(ascii: "<") else { return nil }
    return String(decoding: text, as: UTF8.self).contains("<database>") ? .xml : nil
  }

  /// The contents of a store that is read as a whole.
  ///
  /// - Throws: `PersistentStoreError` if they are malformed.
  func objects(_ type: PersistentStore.StoreType) throws -> any StoredObjects {
    type == .csv
      ? try StoredTables(contentsOf: self) : try DocumentReader(contentsOf: self, type: type)
  }

  /// The first bytes of a file; empty if it is not a regular file or cannot be read.
  private var head: [UInt8] {
    var bytes: [UInt8] = []
    var info = stat()
    // Reading anything else, such as a pipe, may block.
    guard path.withSystemPath({ stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    _ = try? InputFile(path, atMost: 1 << 16).read(into: &bytes)
    return bytes
  }
}

extension [UInt8] {
  /// Whether the bytes begin a JSON object whose first member has a name.
  fileprivate func beginsJSON(_ name: String) -> Bool {
    let text = drop { $0 <= 0x20 || $0 >= 0x80 }
    guard text.first == UInt8(ascii: "{") else { return false }
    return text.dropFirst().drop { $0 <= 0x20 }.starts(with: "\"\(name)\"".utf8)
  }
}

extension PersistentStore.StoreType {
  /// The store type in a sentence: "an XML store".
  var described: String {
    switch self {
    case .xml: "an XML store"
    case .json: "a JSON store"
    case .csv: "a CSV store"
    case .binary: "a binary store"
    case .sqlite: "a SQLite store"
    default: "a store of the kind \(self)"
    }
  }
}
