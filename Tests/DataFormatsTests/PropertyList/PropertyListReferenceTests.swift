import DataFormats
import Foundation
import TestSupport
import Testing

/// Compared with Python's plistlib, where python3 is installed, and with Apple's own stores.
@Suite("A property list, compared with plistlib")
struct PropertyListReferenceTests {
  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `is written as plistlib writes it, whatever it holds`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let lists = (0..<300).map { _ in PropertyList.random(using: &random) }
    let ours = lists.map { hexadecimal($0.binary) }
    let theirs = try Python.run(
      """
      import plistlib, sys
      for line in sys.stdin:
          value = plistlib.loads(bytes.fromhex(line))
          print(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=True).hex())
      """, lines: ours
    ).lines
    #expect(theirs == ours, "SEED=\(seed)")
  }

  @Test(.enabled("needs python3 and the stores in ../shared/fixtures") { StoreArchive.areThere })
  func `of a real store has the same content after being rewritten`() throws {
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
      """, lines: StoreArchive.all.map(\.path)
    ).lines
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
      """, lines: zip(originals, rewritten).map { "\($0) \($1)" }
    ).lines
    #expect(verdicts == Array(repeating: "True", count: originals.count))
  }
}
