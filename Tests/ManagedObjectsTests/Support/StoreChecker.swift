import Foundation
import TestSupport
import Testing

/// The checker of stores that is independent of this project's code.
enum StoreChecker {
  private static let model = URL.dogWalkModel.appending(path: "DogWalk 3.xcdatamodel")

  /// Whether the checker and Python are on this machine.
  static var isAvailable: Bool { Python.hasTools }

  /// The checker's verdict on a DogWalk store: "0 differences, 5 entities" when all is well.
  static func check(_ store: URL) throws -> String { try check(store, against: model) }

  /// The checker's verdict on a store of another Xcode model: a `contents` file, or its folder.
  static func check(_ store: URL, against model: URL) throws -> String {
    let answer = try Python.runTool("check_store.py", [store.path, model.path])
    return answer.text + answer.errors
  }

  /// Everything that a store holds, as the independent reader sees it.
  static func dump(_ store: URL, as model: URL) throws -> Data {
    try Python.runTool("dump_store.py", [store.path, model.path]).output
  }

  /// The tables and columns that a model's store has: "ZDOG: Z_PK INTEGER PRIMARY KEY, …".
  static func layout(of model: URL) throws -> [String] {
    let script = """
      import sys; sys.path.insert(0, sys.argv[1])
      from coredata import Layout, model_from_xml
      for table, columns in Layout(model_from_xml(sys.argv[2])).tables.items():
          print(table + ": " + ", ".join(" ".join(column) for column in columns))
      """
    return try Python.run(script, [URL.tools.path, model.path]).lines
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
    return try Python.run(script, [URL.tools.path, model.path]).lines
  }
}
