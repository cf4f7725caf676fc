import DataModel
import SystemLibraries

/// The persistent history of a store that is migrated: Core Data's own, which others follow.
///
///     try MigratedHistory(connection)?.addMarker()
///
/// It outlives a migration. A transaction without changes, by Core Data's schema migrator, tells those
/// who follow it that what stands before is about another version of the model.
struct MigratedHistory {
  /// The history's tables.
  static let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
  /// The entities of the model are numbered below this, those of the history from 16,001 on.
  static let leastNumber = 16_001

  private static let author = "com.apple.coredata.schemamigrator"
  private static let (transaction, string) = (16_002, 16_003)

  private let connection: Connection
  private let found: Set<String>
  private let contents: StoreContents

  /// The history of a store; nil where it has none.
  init?(_ connection: Connection) throws {
    self.connection = connection
    contents = try StoreContents(connection)
    found = Set(contents.tables).intersection(Self.tables)
    if found.isEmpty { return nil }
  }

  /// Gives the changes' entities their new numbers; the changes of those that are removed go.
  func renumber(_ numbers: [(old: Int, new: Int)], removed: [Int]) throws {
    guard found.contains("ACHANGE") else { return }
    if !removed.isEmpty {
      try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.sqlList))")
    }
    try connection.renumber(numbers, column: "ZENTITY", of: "ACHANGE")
  }

  /// Forgets all changes: they are of rows whose keys others have now.
  func forgetChanges() throws {
    for table in ["ACHANGE", "ATRANSACTION"] where found.contains(table) {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  /// Adds the transaction that tells of the migration.
  func addMarker() throws {
    guard found.contains("ATRANSACTION") else { return }
    let columns = try contents.columns(of: "ATRANSACTION").map(\.name)
    let program = ProcessInfo.processInfo.processName
    var values: [(column: String, value: AttributeValue)] = [
      ("Z_ENT", .integer(Int64(Self.transaction))), ("ZTIMESTAMP", .date(Date())),
    ]
    // The first frameworks with a history had the texts in the transactions themselves.
    for (column, text) in [
      ("ZAUTHOR", Self.author), ("ZBUNDLEID", program), ("ZPROCESSID", program),
    ] {
      if columns.contains(column + "TS"), found.contains("ATRANSACTIONSTRING") {
        values.append((column + "TS", .integer(try key(of: text))))
      } else {
        values.append((column, .string(text)))
      }
    }
    values.removeAll { !columns.contains($0.column) }
    try insert(values, into: "ATRANSACTION", number: Self.transaction)
  }

  /// The key of a text that transactions refer to.
  private func key(of text: String) throws -> Int64 {
    let statement = try connection.statement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
    defer { statement.reset() }
    statement.bind(text, at: 1)
    if try statement.step() { return statement.integer(at: 0) }
    return try insert(
      [("Z_ENT", .integer(Int64(Self.string))), ("ZNAME", .string(text))],
      into: "ATRANSACTIONSTRING", number: Self.string)
  }

  /// Inserts a row with the next key that the history's counter has, or its table.
  @discardableResult
  private func insert(
    _ values: [(column: String, value: AttributeValue)], into table: String, number: Int
  ) throws -> Int64 {
    let counter = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")
    let highest = try connection.integer("SELECT max(Z_PK) FROM \(table)")
    let key = max(counter ?? 0, highest ?? 0) &+ 1
    let names = (["Z_PK"] + values.map(\.column)).joined(separator: ", ")
    let parameters = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
    let statement = try connection.statement(
      "INSERT INTO \(table) (\(names)) VALUES (\(parameters))")
    statement.bind(key, at: 1)
    for (index, value) in values.enumerated() { statement.bind(value.value, at: Int32(index + 2)) }
    try statement.run()
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(number)")
    return key
  }
}
