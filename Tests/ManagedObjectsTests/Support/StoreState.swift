import Foundation

/// Everything that a store holds except lock counts, the highest keys and the undo log: its rows
/// as SQLite has them, and the metadata.
///
///     let before = try StoreState(of: url)
struct StoreState: Equatable, CustomStringConvertible {
  let tables: [String: [String]]

  init(of url: URL) throws {
    let file = try SQLiteFile(url)
    var tables: [String: [String]] = [:]
    let names = try file.column(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'MO_UNDO%'
      AND name NOT LIKE 'sqlite_%' AND name <> 'Z_PRIMARYKEY'
      """)
    for name in names {
      let columns = try file.column("SELECT name FROM pragma_table_info('\(name)')")
        .filter { $0 != "Z_OPT" }.map { "quote(\"\($0)\")" }
      tables[name] = try file.column(
        "SELECT \(columns.joined(separator: " || ',' || ")) AS line FROM \"\(name)\" ORDER BY line")
    }
    // The order of keys in the property list is irrelevant.
    tables["Z_METADATA"] = nil
    self.tables = tables
  }

  var description: String {
    tables.sorted { $0.key < $1.key }.map { "\($0.key):\n  \($0.value.joined(separator: "\n  "))" }
      .joined(separator: "\n")
  }

  /// The lines that one state has and the other has not.
  func difference(from other: StoreState) -> String {
    Set(tables.keys).union(other.tables.keys).sorted().compactMap { name in
      let (mine, theirs) = (Set(tables[name] ?? []), Set(other.tables[name] ?? []))
      guard mine != theirs else { return nil }
      return "\(name): has \(mine.subtracting(theirs).sorted()), "
        + "not \(theirs.subtracting(mine).sorted())"
    }.joined(separator: "\n")
  }
}
