import Foundation
import TestSupport
import Testing

/// Values that no attribute allows, and that SQLite accepts all the same.
@Suite(.enabled(if: Python.isInstalled, "python3 is missing"))
struct `A store with impossible values` {
  /// Inserts a row for each value into each column of the tables of DogWalk's model.
  private static let script = """
    import sqlite3, sys
    values = [
      None, 9e999, -9e999, 1e300, -1e300, 1e15, -63114076800.0, 2**63 - 1, -2**63, 2**31 - 1, "", "soon",
      b"", b"\\xff\\x00\\xfe", "\\x1b[31m", "\\x9b2J", "\\u2028", "=1", 0.0, -0.0, 5e-324,
    ]
    store = sqlite3.connect(sys.argv[1])
    count = key = 0
    for table, number in (("ZDOG", 1), ("ZWALK", 4)):
      columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
      for column in columns:
        if column in ("Z_PK", "Z_ENT"): continue
        for value in values:
          key += 1
          row = {"Z_PK": key, "Z_ENT": number, "Z_OPT": 1, column: value}
          # Of names that must be unique, some are one to SQLite.
          count += store.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            list(row.values())).rowcount
      for odd in (0, -5, 2**63 - 1, -2**63):
        count += store.execute(
          f"INSERT INTO {table} (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)", (odd, number)).rowcount
    # Not text: SQLite takes these bytes for it.
    store.execute("UPDATE ZWALK SET ZNOTE = CAST(x'41ff' AS TEXT) WHERE ZNOTE = 'soon'")
    store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 'many'")
    store.commit()
    print(count)
    """

  @Test func `is shown completely`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "Hostile.sqlite").path
    let model = URL.dogWalkModel.path
    #expect(try StoreToolProgram.run("create", path, "--model", model).exitCode == 0)
    let count = try #require(Python.run(Self.script, [path]).lines.first.flatMap { Int($0) })
    let answer = try StoreToolProgram.run("inspect", path, "--model", model, "--json")
    #expect(answer.exitCode == 0 && answer.errors == "")
    let isQuiet = answer.text.unicodeScalars.allSatisfy {
      $0.value == 0x0A || !($0.value < 0x20 || (0x7F...0x9F).contains($0.value))
    }
    #expect(isQuiet)
    // Python reads 1e999 as infinity, as the JSON means it.
    let file = try folder.write(answer.output, to: "dump.json")
    let found = try Python.run(
      """
      import json, sys
      dump = json.load(open(sys.argv[1], encoding="utf-8"))
      print(sum(len(entity["objects"]) for entity in dump["entities"]))
      """, [file.path])
    #expect(found.lines == ["\(count)"])
    let table = try StoreToolProgram.run("inspect", path, "--model", model)
    #expect(table.exitCode == 0 && table.errors == "")
  }
}
