import Foundation

/// A store of `../shared/fixtures`, for the model and the hashes in it.
package struct StoreArchive: Sendable, CustomStringConvertible {
  /// The store's file.
  package let path: String

  /// Whether there are any, and a tool that reads them.
  package static let areThere = Python.isInstalled && !all.isEmpty

  /// All of them, by path.
  package static let all: [StoreArchive] = {
    let fixtures = URL.fixtures.path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: fixtures)) ?? []
    return paths.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }.sorted()
      .map { StoreArchive(path: fixtures + "/" + $0) }
  }()

  /// The name of the file.
  package var description: String { URL(filePath: path).lastPathComponent }

  /// Reads both with an independent SQLite and property list reader.
  package func read() throws -> (content: [UInt8], hashes: [String: String]) {
    // A store and its -wal are copied first: SQLite writes even where it only reads.
    let script = """
      import os, plistlib, shutil, sqlite3, sys, tempfile
      path = sys.stdin.readline().rstrip("\\n")
      with tempfile.TemporaryDirectory() as folder:
          for suffix in ("", "-wal"):
              if os.path.exists(path + suffix):
                  shutil.copy(path + suffix, folder + "/store" + suffix)
          store = sqlite3.connect(folder + "/store")
          print(store.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0].hex())
          metadata = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
          store.close()
      for name, hash in metadata["NSStoreModelVersionHashes"].items():
          print(name, hash.hex())
      """
    let lines = try Python.run(script, lines: [path]).lines
    let hashes = lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
    return (
      bytesOf(hex: lines.first ?? ""),
      Dictionary(uniqueKeysWithValues: hashes.map { ($0[0], $0[1]) })
    )
  }
}
