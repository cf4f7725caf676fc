import DataModel
import SystemLibraries

/// A reader of a store over one connection: turns plans into SELECTs and packs their rows.
///
/// A store has one on its writing connection; its `ReaderPool` creates others with connections of
/// their own. Not used by two threads at once.
final class SQLiteReader: ReadableStore {
  let connection: Connection
  let schema: SQLSchema
  let files: ExternalDataFiles
  private let url: URL
  private let bindings: [EntityBinding]
  private let offset: Int
  private let scratch = RowBuffer()
  /// The cursors for reading one row, by entity; empty until the first fault is fired.
  private var rowCursors: [SQLiteCursor?] = []
  /// The cursors for looking up rows by a value, by entity and slot.
  private var lookUps: [LookUp] = []

  /// The SELECTs for the members of one object through a join.
  private var memberSelects: [MemberSelect] = []

  /// A SELECT whose only parameter is the owner's key.
  private struct MemberSelect {
    let join: Int
    let isFirst: Bool
    let sql: String
    let sources: [SQLiteCursor.Source]
  }

  /// A SELECT whose first parameter is the value to look up.
  private struct LookUp {
    let entity: Int
    let slot: Int
    let cursor: SQLiteCursor
  }

  init(_ connection: Connection, at url: URL, schema: SQLSchema, bindings: [EntityBinding]) {
    self.connection = connection
    self.url = url
    self.schema = schema
    self.bindings = bindings
    offset = bindings.first?.index ?? 0
    files = ExternalDataFiles(of: url)
  }

  /// A reader of the same store over another connection.
  func reader(on connection: Connection) -> SQLiteReader {
    SQLiteReader(connection, at: url, schema: schema, bindings: bindings)
  }

  /// Runs a body and rethrows SQLite's errors as `PersistentStoreError`.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw Self.storeError(error, on: connection, at: url)
    }
  }

  /// The error to report for a SQLite error.
  ///
  /// A missing table or column usually means that the store was migrated or replaced.
  static func storeError(
    _ error: SQLiteError, on connection: Connection, at url: URL
  ) -> any Error {
    do {
      if error.isMissingTable { try connection.refuseIfReplaced() }
    } catch let change as PersistentStoreError {
      return change
    } catch {
      // The first error is the one to report.
    }
    return PersistentStoreError(error, at: url)
  }

  func binding(at index: Int) -> EntityBinding { bindings[index - offset] }

  // MARK: Rows

  /// The rows that a plan selects; they are read as the cursor advances.
  func rows(for plan: FetchPlan) throws -> any RowCursor {
    try cursor(for: plan) ?? filteredRows(for: plan)
  }

  /// A cursor over the rows that SQL selects; nil if the plan exceeds SQLite's limits.
  func cursor(for plan: FetchPlan, isPlain: Bool? = nil) throws -> SQLiteCursor? {
    let prepared = try mappingErrors {
      try self.statement(for: plan, isPlain: isPlain ?? plan.isPlain)
    }
    guard let (statement, sources) = prepared else { return nil }
    // The owner's key follows the columns of the row.
    let isOwnerRead = plan.link.map { $0.owners.count != 1 } ?? false
    return SQLiteCursor(
      statement: statement, sources: sources, scratch: scratch,
      entityColumn: plan.keysOnly ? 1 : 2,
      ownerColumn: isOwnerRead ? statement.columnCount - 1 : nil,
      files: plan.leavesExternalData ? nil : files,
      connection: connection, url: url)
  }

  /// The rows of a plan that exceeds SQLite's limits, filtered in memory.
  private func filteredRows(for plan: FetchPlan) throws -> FilteredRows {
    try FilteredRows(plan, of: self, bindings) { whole in
      var whole = whole
      whole.predicate = whole.predicate?.quickPart
      let quick = try cursor(for: whole)
      whole.predicate = nil
      let found = try quick ?? ownCursor(for: whole)
      found.isJudged = true
      return found
    }
  }

  /// A cursor for a plan made by the store itself, which never exceeds SQLite's limits.
  ///
  /// - Throws: `PersistentStoreError` if the file lacks a table or column.
  func ownCursor(for plan: FetchPlan) throws -> SQLiteCursor {
    guard let cursor = try cursor(for: plan, isPlain: true) else {
      fatalError("A plan of the store's own is too deep.")
    }
    return cursor
  }

  /// The first row with a value, by a SELECT that is built once per slot.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow? {
    let cursor: SQLiteCursor
    if let kept = lookUps.first(where: { $0.entity == entity.index && $0.slot == slot }) {
      cursor = kept.cursor
    } else {
      cursor = try ownCursor(for: FetchPlan(lookingUp: value, at: slot, of: entity))
      lookUps.append(LookUp(entity: entity.index, slot: slot, cursor: cursor))
    }
    guard let row = try cursor.row(with: value) else { return nil }
    return (cursor.key, bindings[cursor.entity - offset], row)
  }

  /// The row with a key, by a SELECT that is built once per entity.
  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    let index = entity.index - offset
    if rowCursors.isEmpty { rowCursors = Array(repeating: nil, count: bindings.count) }
    let cursor: SQLiteCursor
    if let kept = rowCursors[index] {
      cursor = kept
    } else {
      var plan = FetchPlan(entity: entity)
      plan.predicate = .object(isIn: BoundKeys([key]))
      cursor = try ownCursor(for: plan)
      rowCursors[index] = cursor
    }
    guard let row = try cursor.row(with: .integer(key)) else { return nil }
    return (bindings[cursor.entity - offset], row)
  }

  // MARK: Values

  /// Reads a value that may be in an external file; nil if there is none.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    try mappingErrors {
      let column = schema.columnNames[entity.index - offset][slot].quoted
      let table = schema.tableNames[entity.index - offset].quoted
      let statement = try connection.statement("SELECT \(column) FROM \(table) WHERE Z_PK = ?")
      defer { statement.reset() }
      statement.bind(key, at: 1)
      guard try connection.firstStep(of: statement), let stored = statement.blob(at: 0)
      else { return nil }
      guard let name = ExternalDataFiles.fileName(in: stored) else {
        return Array(ExternalDataFiles.inlineValue(in: stored))
      }
      return try files.read(name)
    }
  }

  /// Calls a body with the identity and the values of expressions for each row that a plan selects.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    var writer = writer(for: plan)
    let sql = writer.select(expressions, for: plan)
    guard
      let statement = try mappingErrors({ try prepared(sql, for: plan, writer, isPlain: false) })
    else {
      let rows = try filteredRows(for: plan)
      while try rows.next() {
        try body(
          RowIdentity(key: rows.key, entity: rows.entity), try rows.values(expressions))
      }
      return
    }
    try mappingErrors {
      var hasRow = try connection.firstStep(of: statement)
      while hasRow {
        let values = expressions.indices.map { statement.scalar(at: Int32($0 + 1)) }
        let entity = plan.entity(among: bindings) {
          statement.integer(at: Int32(expressions.count + 1))
        }
        try body(RowIdentity(key: statement.integer(at: 0), entity: entity), values)
        hasRow = try statement.step()
      }
    }
  }

  /// The number of rows that a plan selects.
  func count(_ plan: FetchPlan) throws -> Int {
    var plan = plan
    plan.isUnordered = true
    plan.sorts = []
    var writer = writer(for: plan)
    let sql = "SELECT count(*) FROM (\(writer.select(["Z_PK"], for: plan)))"
    guard let statement = try mappingErrors({ try prepared(sql, for: plan, writer) }) else {
      let rows = try filteredRows(for: plan)
      var count = 0
      while try rows.next() { count += 1 }
      return count
    }
    return try mappingErrors {
      try connection.firstStep(of: statement) ? Int(clamping: statement.integer(at: 0)) : 0
    }
  }

  // MARK: Statements

  /// The writer that turns a plan into SQL.
  func writer(for plan: FetchPlan) -> SQLWriter {
    SQLWriter(entity: plan.entity, schema: schema, bindings: bindings)
  }

  private func statement(
    for plan: FetchPlan, isPlain: Bool
  ) throws -> (statement: Statement, sources: [SQLiteCursor.Source])? {
    if let (end, owner) = plan.soleOwner,
      let kept = memberSelects.first(where: { $0.join == end.join && $0.isFirst == end.isFirst })
    {
      guard let statement = try accepted(kept.sql, isPlain: isPlain) else { return nil }
      statement.bind(owner, at: 1)
      return (statement, kept.sources)
    }
    let family = plan.family
    // A query for keys only can be answered from an index.
    var columns = plan.keysOnly ? ["Z_PK"] : ["Z_PK", "Z_OPT"]
    if family.count > 1 { columns.append("Z_ENT") }
    // The index of each column, for entities that share some.
    var columnIndexes: [String: Int32] = [:]
    var sources: [SQLiteCursor.Source] = []
    for index in family {
      let names = plan.keysOnly ? [] : schema.columnNames[index - offset]
      sources.append(
        .init(
          bindings[index - offset],
          columns: names.map { name in
            if family.count > 1, let index = columnIndexes[name] { return index }
            let index = Int32(columns.count)
            columns.append(name)
            if family.count > 1 { columnIndexes[name] = index }
            return index
          }))
    }
    var writer = writer(for: plan)
    let sql = writer.select(columns, for: plan)
    if let (end, _) = plan.soleOwner {
      memberSelects.append(
        MemberSelect(join: end.join, isFirst: end.isFirst, sql: sql, sources: sources))
    }
    return try prepared(sql, for: plan, writer, isPlain: isPlain).map { ($0, sources) }
  }

  /// The prepared statement with its values bound; nil if it exceeds SQLite's limits.
  ///
  /// - Parameter isPlain: whether the statement cannot exceed any limit, so that an error
  ///   concerns the file.
  func prepared(
    _ sql: String, for plan: FetchPlan, _ writer: SQLWriter, isPlain: Bool? = nil
  ) throws -> Statement? {
    guard !writer.isTooDeep else { return nil }
    if plan.sorts.contains(where: { $0.order != .bytes }) { try connection.defineTextOrders() }
    if writer.needsFunctions { try connection.definePredicateFunctions(files: files) }
    guard let statement = try accepted(sql, isPlain: isPlain ?? plan.isPlain) else { return nil }
    for (index, value) in writer.values.enumerated() {
      statement.bind(value, at: Int32(index + 1))
    }
    return statement
  }

  private func accepted(_ sql: String, isPlain: Bool) throws(SQLiteError) -> Statement? {
    do {
      return try connection.statement(sql)
    } catch {
      guard error.isRefusedStatement, !isPlain else { throw error }
      return nil
    }
  }
}

@available(*, unavailable) extension SQLiteReader: Sendable {}

extension FetchPlan {
  /// The owner, if the plan selects all members of one object through a join, in order; nil for any
  /// other plan.
  fileprivate var soleOwner: (end: EntityBinding.JoinEnd, owner: Int64)? {
    guard let link, link.owners.count == 1, isPlain, limit == 0, offset == 0, includesSubentities,
      !keysOnly, !isUnordered
    else { return nil }
    return (link.end, link.owners[0])
  }
}

extension SQLiteReader {
  /// Pins all reads to the current state of the store, until `endReading()`.
  func beginReading() throws {
    try mappingErrors {
      try connection.statement("BEGIN").run()
      do {
        // The first read starts the transaction's snapshot.
        try connection.look()
      } catch {
        endReading()
        throw error
      }
    }
  }

  /// Lets reads see the newest state again.
  func endReading() {
    // Nothing was written, so nothing can be lost; a failed read may have ended it already.
    if connection.isInTransaction { try? connection.statement("COMMIT").run() }
  }
}

extension SQLiteStore {
  /// The pool of reading connections in addition to the writing one.
  ///
  /// nil if readers would block writers because the store is not in WAL mode, or if the store is
  /// read from a copy, whose connection is replaced when the original changes.
  static func readerPool(
    beside reader: SQLiteReader, at url: URL, _ identifier: String,
    ignoresExternalChanges: Bool, _ options: PersistentStoreOptions
  ) -> ReaderPool? {
    let connection = reader.connection
    guard connection.expectsLog, !ignoresExternalChanges else { return nil }
    let openedFile = connection.openedFile
    return ReaderPool(limit: max(options.maximumReaderCount, 1)) {
      try PersistentStoreError.mapping(at: url) {
        let other: Connection
        do throws(SQLiteError) {
          other = try Connection(
            path: url.filePath, access: .readOnly, waiting: options.busyTimeout,
            debug: options.sqlDebug)
        } catch let error where error.isMissingFolder {
          throw SQLiteError.moved
        }
        try other.apply(SQLitePragmas(options.sqlitePragmas, of: url))
        other.openedFile = openedFile
        try other.refuseIfMoved()
        guard try readMetadata(other, at: url).uuid == identifier else {
          throw PersistentStoreError.fileNotFound(url)
        }
        other.expect(connection.expectedContents)
        return reader.reader(on: other)
      }
    }
  }
}
