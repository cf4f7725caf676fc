/// The contents of a store's schema: its tables, and obstacles to writing.
struct StoreContents {
  private(set) var tables: [String] = []
  private(set) var obstacles: [PersistentStoreError.WriteObstacle] = []
  private let connection: Connection

  /// Whether the store is mirrored to CloudKit.
  var isMirrored: Bool { obstacles.contains(.cloudKit) }

  /// Reads the schema.
  init(_ connection: Connection) throws {
    self.connection = connection
    let statement = try connection.statement("SELECT type, name FROM sqlite_schema")
    defer { statement.reset() }
    while try statement.step() {
      let name = statement.string(at: 1) ?? ""
      switch statement.string(at: 0) {
      case "table":
        tables.append(name)
        switch name {
        case "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING": obstacles.append(.persistentHistory)
        default: if name.hasPrefix("ANSCK") { obstacles.append(.cloudKit) }
        }
      case "trigger" where name.hasPrefix("Z_DA_"): obstacles.append(.derivedAttributes)
      default: break
      }
    }
  }

  /// The CREATE statement of a table; empty if there is none.
  func sql(of table: String) throws -> String {
    let statement = try connection.statement("SELECT sql FROM sqlite_schema WHERE name = ?")
    defer { statement.reset() }
    statement.bind(table, at: 1)
    return try statement.step() ? statement.string(at: 0) ?? "" : ""
  }

  /// Whether a column is the table's rowid alias (`INTEGER PRIMARY KEY`).
  func hasRowKey(_ column: String, in table: String) throws -> Bool {
    let statement = try connection.statement(
      "SELECT count(*), max(name = ?1 AND type = 'INTEGER') FROM pragma_table_info(?2) WHERE pk > 0"
    )
    defer { statement.reset() }
    statement.bind(column, at: 1)
    statement.bind(table, at: 2)
    return try statement.step() && statement.integer(at: 0) == 1 && statement.integer(at: 1) == 1
  }

  /// The columns of a table with their declared types, read from the database on each call.
  func columns(of table: String) throws -> [SQLSchema.Column] {
    let statement = try connection.statement("PRAGMA table_info(\(table.quoted))")
    defer { statement.reset() }
    var columns: [SQLSchema.Column] = []
    while try statement.step() {
      columns.append(
        SQLSchema.Column(
          name: statement.string(at: 1) ?? "", type: statement.string(at: 2) ?? ""))
    }
    return columns
  }
}
