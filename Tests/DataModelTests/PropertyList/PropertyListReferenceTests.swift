import DataModel
import Foundation
import Testing

/// Held against Python's plistlib, where there is a python3, and against Apple's own stores.
@Suite("A property list, held against plistlib")
struct PropertyListReferenceTests {
  @Test(.enabled("needs python3") { Python.isInstalled })
  func `is written as plistlib writes it, whatever it holds`() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    let lists = (0..<300).map { _ in PropertyList.random(using: &random) }
    let ours = lists.map { hexadecimal($0.binary) }
    let theirs = try Python.run(
      """
      import plistlib, sys
      for line in sys.stdin:
          value = plistlib.loads(bytes.fromhex(line))
          print(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=True).hex())
      """, lines: ours)
    #expect(theirs == ours, "seed \(seed)")
  }

  @Test(.enabled("needs python3 and the stores in ../shared/fixtures") { !Stores.all.isEmpty })
  func `of a real store says the same after we wrote it`() throws {
    // Only a copy of a store, with its log, may be opened.
    let originals = try Python.run(
      """
      import os, shutil, sqlite3, sys, tempfile
      for line in sys.stdin:
          path = line.rstrip("\\n")
          with tempfile.TemporaryDirectory() as folder:
              copy = os.path.join(folder, "store")
              for suffix in ("", "-wal"):
                  if os.path.exists(path + suffix):
                      shutil.copy(path + suffix, copy + suffix)
              database = sqlite3.connect(copy)
              print(database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0].hex())
              database.close()
      """, lines: Stores.all)
    let rewritten = try originals.map { original in
      let list = try PropertyList(binary: bytesOf(hex: original))
      #expect(try PropertyList(binary: list.binary) == list)
      return hexadecimal(list.binary)
    }
    let verdicts = try Python.run(
      """
      import plistlib, sys
      for line in sys.stdin:
          original, rewritten = (plistlib.loads(bytes.fromhex(x)) for x in line.split())
          print(original == rewritten and original["NSStoreType"] == "SQLite")
      """, lines: zip(originals, rewritten).map { "\($0) \($1)" })
    #expect(verdicts == Array(repeating: "True", count: Stores.all.count))
  }
}

/// The real stores beside the project.
private enum Stores {
  static let all: [String] = {
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let fixtures = root.deletingLastPathComponent().appendingPathComponent("shared/fixtures").path
    guard Python.isInstalled else { return [] }
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: fixtures)) ?? []
    return names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }.sorted()
      .map { "\(fixtures)/\($0)" }
  }()
}
