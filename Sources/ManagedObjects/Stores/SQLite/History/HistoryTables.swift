import DataModel
import SystemLibraries

/// The tables of a persistent history, as Core Data makes them, and what is written to them.
///
/// ```sql
/// ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0, …)
/// ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, …, ZTIMESTAMP, ZAUTHOR, …, ZQUERYGEN)
/// ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME)
/// ```
///
/// The texts of a transaction are strings of their own, each once. The first frameworks with a
/// history had them in the transactions themselves, so columns are asked for before they are used.
struct HistoryTables {
  static let change = "ACHANGE"
  static let transaction = "ATRANSACTION"
  static let string = "ATRANSACTIONSTRING"
  /// All of them.
  static let names = [change, transaction, string]
  /// The entities of the model are numbered below this, those of the history from here on.
  static let leastNumber = 16_001

  /// The history's own entities in Z_PRIMARYKEY.
  private enum Number {
    static let change = 16_001
    static let transaction = 16_002
    static let string = 16_003
  }

  let connection: Connection
  /// Which of the tables there are.
  let found: Set<String>
  let changeColumns: Set<String>
  let transactionColumns: Set<String>

  /// The history of a store; nil where it has none.
  init?(_ connection: Connection, in contents: StoreContents? = nil) throws {
    self.connection = connection
    let contents = try contents ?? StoreContents(connection)
    let found = Set(contents.tables).intersection(Self.names)
    if found.isEmpty { return nil }
    self.found = found
    func columns(of table: String) throws -> Set<String> {
      found.contains(table) ? Set(try contents.columns(of: table).map(\.name)) : []
    }
    changeColumns = try columns(of: Self.change)
    transactionColumns = try columns(of: Self.transaction)
  }

  /// The column of one value of a tombstone.
  static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }

  // MARK: Making

  /// Whether everything is there that is written to and read.
  func isComplete(tombstones: Int) -> Bool {
    found.count == Self.names.count && hasWhatIsNeeded
      && (0..<tombstones).allSatisfy { changeColumns.contains(Self.tombstone($0)) }
  }

  /// Whether the changes and transactions have the columns without which they say nothing.
  var hasWhatIsNeeded: Bool {
    changeColumns.isSuperset(of: [
      "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]) && transactionColumns.contains("ZTIMESTAMP")
  }

  /// Makes the tables that are not there, with their indexes and counters; to be called in a
  /// transaction.
  static func make(on connection: Connection, tombstones: Int) throws {
    let columns = (0..<tombstones).map { ", \(tombstone($0)) BLOB" }.joined()
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(columns) );
      CREATE TABLE IF NOT EXISTS ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
      CREATE TABLE IF NOT EXISTS ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE INDEX IF NOT EXISTS ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
      CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC);
      CREATE UNIQUE INDEX IF NOT EXISTS Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
      """)
    guard let tables = try HistoryTables(connection) else { return }
    for name in ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
    where tables.transactionColumns.contains("Z\(name)TS") {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_Z\(name)TS_INDEX ON ATRANSACTION (Z\(name)TS)")
    }
    if tables.transactionColumns.contains("ZAUTHOR") {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"
      )
    }
    for index in 0..<tombstones where !tables.changeColumns.contains(tombstone(index)) {
      try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(tombstone(index)) BLOB")
    }
    try connection.execute(
      """
      INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES
        (\(Number.change), 'CHANGE', 0, 0), (\(Number.transaction), 'TRANSACTION', 0, 0),
        (\(Number.string), 'TRANSACTIONSTRING', 0, 0)
      """)
  }

  // MARK: Writing

  /// Adds a transaction; gives its number.
  func addTransaction(by origin: TransactionOrigin) throws -> Int64 {
    let program = ProcessInfo.processInfo.processName
    var values: [(column: String, value: AttributeValue)] = [
      ("Z_ENT", .integer(Int64(Number.transaction))), ("ZTIMESTAMP", .date(Date())),
    ]
    for (column, text) in [
      ("ZAUTHOR", origin.author), ("ZBUNDLEID", program), ("ZCONTEXTNAME", origin.contextName),
      ("ZPROCESSID", program),
    ] {
      guard let text else { continue }
      if transactionColumns.contains(column + "TS"), found.contains(Self.string) {
        values.append((column + "TS", .integer(try key(of: text))))
      } else {
        values.append((column, .string(text)))
      }
    }
    values.removeAll { !transactionColumns.contains($0.column) }
    return try insert(values, into: Self.transaction, number: Number.transaction)
  }

  /// The key of a text that transactions refer to.
  private func key(of text: String) throws -> Int64 {
    let statement = try connection.statement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
    defer { statement.reset() }
    statement.bind(text, at: 1)
    if try statement.step() { return statement.integer(at: 0) }
    return try insert(
      [("Z_ENT", .integer(Int64(Number.string))), ("ZNAME", .string(text))],
      into: Self.string, number: Number.string)
  }

  /// Inserts a row with the next key.
  private func insert(
    _ values: [(column: String, value: AttributeValue)], into table: String, number: Int
  ) throws -> Int64 {
    let key = try highestKey(of: table, number) &+ 1
    let names = (["Z_PK"] + values.map(\.column)).joined(separator: ", ")
    let parameters = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
    let statement = try connection.statement(
      "INSERT INTO \(table) (\(names)) VALUES (\(parameters))")
    statement.bind(key, at: 1)
    for (index, value) in values.enumerated() { statement.bind(value.value, at: Int32(index + 2)) }
    try statement.run()
    try setHighestKey(key, number)
    return key
  }

  /// Adds changes to a transaction, each by what binds its values to a statement.
  ///
  /// - Parameter bind: binds the type, the entity's number, the row's key, the columns and the
  ///   tombstone from the second parameter on; the transaction's number stands in the first.
  func addChanges<Change>(
    _ changes: some Sequence<Change>, to transaction: Int64, tombstones: Int,
    _ bind: (Change, Statement) throws -> Void
  ) throws {
    var columns = [
      "Z_PK", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS",
    ]
    columns += (0..<tombstones).map(Self.tombstone)
    let statement = try connection.statement(
      """
      INSERT INTO ACHANGE (Z_ENT, \(columns.joined(separator: ", ")))
      VALUES (\(Number.change), \(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    defer { statement.reset() }
    var key = try highestKey(of: Self.change, Number.change)
    for change in changes {
      key &+= 1
      statement.bind(key, at: 1)
      statement.bind(transaction, at: 2)
      for column in 3...columns.count { statement.bindNull(at: Int32(column)) }
      try bind(change, statement)
      try statement.run()
    }
    try setHighestKey(key, Number.change)
  }

  /// The highest key ever given in a table: counters may lag behind, and stay when rows go.
  private func highestKey(of table: String, _ number: Int) throws -> Int64 {
    let counter = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")
    let highest = try connection.integer("SELECT max(Z_PK) FROM \(table)")
    return max(counter ?? 0, highest ?? 0)
  }

  private func setHighestKey(_ key: Int64, _ number: Int) throws {
    let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    statement.bind(key, at: 1)
    statement.bind(Int64(number), at: 2)
    try statement.run()
  }

  // MARK: What is there

  /// The number of the last transaction; 0 where there was none yet.
  func lastTransaction() throws -> Int64 {
    guard found.contains(Self.transaction) else { return 0 }
    return try highestKey(of: Self.transaction, Number.transaction)
  }

  /// Deletes all transactions below a number with their changes; gives how many changes those were.
  func deleteTransactions(below number: Int64) throws -> Int {
    // The numbers of what goes are not given again.
    for (table, entity) in [
      (Self.change, Number.change), (Self.transaction, Number.transaction),
    ] where found.contains(table) {
      try setHighestKey(highestKey(of: table, entity), entity)
    }
    var count = 0
    for (table, column) in [(Self.change, "ZTRANSACTIONID"), (Self.transaction, "Z_PK")]
    where found.contains(table) {
      let statement = try connection.statement("DELETE FROM \(table) WHERE \(column) < ?")
      statement.bind(number, at: 1)
      try statement.run()
      if table == Self.change { count = connection.changes }
    }
    return count
  }
}
