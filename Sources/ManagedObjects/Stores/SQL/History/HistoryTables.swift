import DataModel
import SystemLibraries

/// The tables of a persistent history, in Core Data's layout, and the statements that write them.
///
/// ```sql
/// ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS,
///   ZTOMBSTONE0, …)
/// ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, …, ZTIMESTAMP, ZAUTHOR, …, ZQUERYGEN)
/// ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME)
/// ```
///
/// The texts of transactions are stored once each in a table of strings. Early versions of Apple's
/// framework stored them in the transactions, so the existing columns are checked before use.
struct HistoryTables {
  static let change = "ACHANGE"
  static let transaction = "ATRANSACTION"
  static let string = "ATRANSACTIONSTRING"
  /// The names of all three tables.
  static let names = [change, transaction, string]
  /// The model's entities have lower numbers, those of the history this number and above.
  static let leastNumber = 16_001

  /// The history's own entities, with their numbers in Z_PRIMARYKEY.
  enum Entity: Int, CaseIterable {
    case change = 16_001
    case transaction = 16_002
    case string = 16_003

    /// The name in Z_PRIMARYKEY.
    var name: String {
      switch self {
      case .change: "CHANGE"
      case .transaction: "TRANSACTION"
      case .string: "TRANSACTIONSTRING"
      }
    }

    var table: String { "A\(name)" }
  }

  let database: any SQLDatabase
  let dialect: SQLDialect
  /// Whether the tombstone columns accept values of any type rather than only bytes.
  var takesAnyType: Bool
  /// The existing tables.
  let found: Set<String>
  let changeColumns: Set<String>
  let transactionColumns: Set<String>

  /// Creates the history of a store; nil if it has none.
  ///
  /// - Parameter columns: the columns of the existing tables, by table name.
  init?(_ database: any SQLDatabase, _ dialect: SQLDialect, columns: [String: Set<String>]) {
    if columns.isEmpty { return nil }
    self.database = database
    self.dialect = dialect
    takesAnyType = dialect.isSQLite
    found = Set(columns.keys)
    changeColumns = columns[Self.change] ?? []
    transactionColumns = columns[Self.transaction] ?? []
  }

  /// The column of one value in a tombstone.
  static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }

  /// The name of a table in a statement.
  func table(_ name: String) -> String { dialect.table(name) }

  /// Whether all tables and columns that are written or read exist.
  func isComplete(tombstones: Int) -> Bool {
    found.count == Self.names.count && hasRequiredColumns
      && (0..<tombstones).allSatisfy { changeColumns.contains(Self.tombstone($0)) }
  }

  /// The number of tombstone values for which there are columns.
  var tombstoneCount: Int {
    (0..<changeColumns.count).prefix { changeColumns.contains(Self.tombstone($0)) }.count
  }

  /// Whether changes and transactions have their essential columns.
  var hasRequiredColumns: Bool {
    changeColumns.isSuperset(of: [
      "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ]) && transactionColumns.contains("ZTIMESTAMP")
  }

  // MARK: Writing

  /// Adds a transaction; returns its number.
  func addTransaction(by origin: TransactionOrigin) throws -> Int64 {
    try addTransaction(by: origin, highestKeys(of: [.transaction, .string]))
  }

  private func addTransaction(
    by origin: TransactionOrigin, _ highest: [Entity: Int64]
  ) throws -> Int64 {
    let program = ProcessInfo.processInfo.processName
    let texts = [
      ("ZAUTHOR", origin.author), ("ZBUNDLEID", program), ("ZCONTEXTNAME", origin.contextName),
      ("ZPROCESSID", program),
    ].compactMap { column, text in text.map { (column: column, text: $0) } }
    let hasStrings = found.contains(Self.string)
    func isReference(_ column: String) -> Bool {
      hasStrings && transactionColumns.contains(column + "TS")
    }
    let strings = try keys(
      of: texts.filter { isReference($0.column) }.map(\.text), behind: highest[.string] ?? 0)
    let number = (highest[.transaction] ?? 0) &+ 1
    var values: [(column: String, value: AttributeValue)] = [
      ("Z_PK", .integer(number)), ("Z_ENT", .integer(Int64(Entity.transaction.rawValue))),
      ("ZTIMESTAMP", .date(Date())),
    ]
    for (column, text) in texts {
      if isReference(column), let key = strings[text] {
        values.append((column + "TS", .integer(key)))
      } else {
        values.append((column, .string(text)))
      }
    }
    values.removeAll { $0.column != "Z_PK" && !transactionColumns.contains($0.column) }
    try insert(values, into: .transaction)
    try setHighestKey(number, of: .transaction)
    return number
  }

  /// The keys of texts that transactions refer to; new texts are inserted with the next keys.
  private func keys(of texts: [String], behind highest: Int64) throws -> [String: Int64] {
    guard !texts.isEmpty else { return [:] }
    let statement = try database.prepared(
      """
      SELECT ZNAME, Z_PK FROM \(table(Self.string))
      WHERE ZNAME IN (\(texts.map { _ in "?" }.joined(separator: ", ")))
      """)
    for (index, text) in texts.enumerated() { statement.bind(text, at: Int32(index + 1)) }
    var keys: [String: Int64] = [:]
    while try statement.step() {
      if let text = statement.string(at: 0) { keys[text] = statement.integer(at: 1) }
    }
    statement.reset()
    var key = highest
    for text in texts where keys[text] == nil {
      key &+= 1
      keys[text] = key
      try insert(
        [
          ("Z_PK", .integer(key)), ("Z_ENT", .integer(Int64(Entity.string.rawValue))),
          ("ZNAME", .string(text)),
        ], into: .string)
    }
    if key != highest { try setHighestKey(key, of: .string) }
    return keys
  }

  /// Inserts a row, now or together with the next statement.
  func insert(
    _ values: [(column: String, value: AttributeValue)], into entity: Entity
  ) throws {
    let names = values.map(\.column).joined(separator: ", ")
    let parameters = values.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.prepared(
      "INSERT INTO \(table(entity.table)) (\(names)) VALUES (\(parameters))")
    for (index, value) in values.enumerated() { statement.bind(value.value, at: Int32(index + 1)) }
    try statement.queue()
  }

  /// Adds a transaction with its changes, each bound to a statement by a closure; returns the
  /// transaction's number.
  ///
  /// - Parameter bind: binds the type, the entity number, the row's key, the columns and the
  ///   tombstone, starting at a given parameter.
  func addTransaction<Change>(
    by origin: TransactionOrigin, _ changes: some Sequence<Change>, tombstones: Int,
    _ bind: (Change, any SQLStatement, _ first: Int32) throws -> Void
  ) throws -> Int64 {
    let highest = try highestKeys(of: Entity.allCases)
    let number = try addTransaction(by: origin, highest)
    let columns =
      ["Z_PK", "Z_ENT", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"]
      + (0..<tombstones).map(Self.tombstone)
    var key = highest[.change] ?? 0
    try database.insert(
      changes, into: table(Self.change), columns, bytesFrom: 6
    ) { change, statement in
      key &+= 1
      statement.bind(key, at: 1)
      statement.bind(Int64(Entity.change.rawValue), at: 2)
      statement.bind(number, at: 3)
      try bind(change, statement, 4)
    }
    try setHighestKey(key, of: .change)
    return number
  }

  /// The highest keys ever assigned in tables: Z_MAX may be too low, and remains when rows are
  /// deleted.
  func highestKeys(of entities: [Entity]) throws -> [Entity: Int64] {
    let entities = entities.filter { found.contains($0.table) }
    let columns = entities.flatMap { entity in
      [
        "(SELECT Z_MAX FROM \(table("Z_PRIMARYKEY")) WHERE Z_ENT = \(entity.rawValue))",
        "(SELECT max(Z_PK) FROM \(table(entity.table)))",
      ]
    }
    let statement = try database.prepared("SELECT \(columns.joined(separator: ", "))")
    defer { statement.reset() }
    guard try statement.step() else { return [:] }
    var highest: [Entity: Int64] = [:]
    for (index, entity) in entities.enumerated() {
      let column = Int32(index * 2)
      highest[entity] = max(statement.integer(at: column), statement.integer(at: column + 1))
    }
    return highest
  }

  /// Records the highest key assigned in a table, now or together with the next statement.
  func setHighestKey(_ key: Int64, of entity: Entity) throws {
    let statement = try database.prepared(
      "UPDATE \(table("Z_PRIMARYKEY")) SET Z_MAX = ? WHERE Z_ENT = ?")
    statement.bind(key, at: 1)
    statement.bind(Int64(entity.rawValue), at: 2)
    try statement.queue()
  }

  // MARK: Existing transactions

  /// The number of the last transaction; 0 if there was none yet.
  func lastTransaction() throws -> Int64 {
    guard found.contains(Self.transaction) else { return 0 }
    return try highestKeys(of: [.transaction])[.transaction] ?? 0
  }

  /// Deletes all transactions below a number with their changes; returns the number of changes.
  func deleteTransactions(below number: Int64) throws -> Int {
    // Recorded first, so that the deleted numbers are not assigned again.
    for (entity, key) in try highestKeys(of: [.change, .transaction]) {
      try setHighestKey(key, of: entity)
    }
    var count = 0
    for (table, column) in [(Self.change, "ZTRANSACTIONID"), (Self.transaction, "Z_PK")]
    where found.contains(table) {
      func run<Result>(
        _ sql: String, _ body: (any SQLStatement) throws -> Result
      ) throws -> Result {
        let statement = try database.prepared(
          "\(sql) FROM \(self.table(table)) WHERE \(column) < ?")
        defer { statement.reset() }
        statement.bind(number, at: 1)
        return try body(statement)
      }
      if table == Self.change {
        count = try run("SELECT count(*)") { try $0.step() ? Int($0.integer(at: 0)) : 0 }
      }
      try run("DELETE") { try $0.run() }
    }
    return count
  }
}
