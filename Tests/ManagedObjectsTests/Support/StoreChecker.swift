import Foundation
import Testing

/// The checker of stores that knows nothing of this project's code.
enum StoreChecker {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let tools = root.appending(path: "../shared/tools")
  private static let tool = tools.appending(path: "check_store.py")
  private static let dumper = root.appending(path: "../shared/tools/dump_store.py")
  /// Real stores that Apple's framework wrote.
  static let fixtures = root.appending(path: "../shared/fixtures")
  private static let model = root.appending(
    path: "Models/DogWalk.xcdatamodeld/DogWalk 2.xcdatamodel")

  /// Whether the checker and Python are on this machine.
  static var isAvailable: Bool {
    FileManager.default.fileExists(atPath: tool.path)
      && (try? run("python3", ["--version"]).status) == 0
  }

  /// What the checker says of a DogWalk store: "0 differences, 2 entities" when all holds.
  static func check(_ store: URL) throws -> String { try check(store, against: model) }

  /// What the checker says of a store of another Xcode model: a `contents` file, or its folder.
  static func check(_ store: URL, against model: URL) throws -> String {
    try run("python3", [tool.path, store.path, model.path]).output
  }

  /// Everything that a store holds, as the reader that is not ours sees it.
  static func dump(_ store: URL, as model: URL) throws -> Data {
    Data(try run("python3", [dumper.path, store.path, model.path]).output.utf8)
  }

  /// The tables and columns that a model's store has: "ZDOG: Z_PK INTEGER PRIMARY KEY, …".
  static func layout(of model: URL) throws -> [String] {
    let script = """
      import sys; sys.path.insert(0, sys.argv[1])
      from coredata import Layout, model_from_xml
      for table, columns in Layout(model_from_xml(sys.argv[2])).tables.items():
          print(table + ": " + ", ".join(" ".join(column) for column in columns))
      """
    return try run("python3", ["-c", script, tool.deletingLastPathComponent().path, model.path])
      .output.split(separator: "\n").map(String.init)
  }

  /// The tables of entities and joins with their columns, sorted by name, joins as far as both ends
  /// are known.
  static func wholeLayout(of model: URL) throws -> [String] {
    let script = """
      import sys; sys.path.insert(0, sys.argv[1])
      from coredata import Layout, model_from_xml
      layout = Layout(model_from_xml(sys.argv[2]))
      tables = {t: [" ".join(c) for c in columns] for t, columns in layout.tables.items()}
      for names, own, other, _ in layout.joins.values():
          # The pair that was met first has the table's order; of two on one entity, the other.
          keys = [other, own] if len(names) == 2 else [own, other]
          orders = ["Z_FOK_" + key[2:] for key in keys]
          ordered = {j[3] for j in layout.joins.values() if j[0][0] == names[0]}
          tables.setdefault(names[0], [c + " INTEGER" for c in keys + [o for o in orders if o in ordered]])
      for table, columns in sorted(tables.items()):
          print(table + ": " + ", ".join(columns))
      """
    return try run("python3", ["-c", script, tools.path, model.path])
      .output.split(separator: "\n").map(String.init)
  }

  /// Runs the `sqlite3`-like question through Python, which is there wherever the checker runs.
  static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
