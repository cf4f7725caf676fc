import DataModel
import SystemLibraries

/// Reads a store over one connection: plans become SELECTs, their rows come packed.
///
/// A store has one on the connection that it writes with; its `ReaderPool` makes others, with
/// connections of their own. Not used by two threads at once.
final class SQLiteReader: StoreReading {
  let connection: Connection
  let schema: SQLSchema
  let files: ExternalDataFiles
  private let url: URL
  private let bindings: [EntityBinding]
  private let offset: Int
  private let scratch = ScratchRow()
  /// What reads one row, by entity; empty until a fault was read.
  private var rowCursors: [SQLiteCursor?] = []
  /// What looks rows up by a value, by entity and slot.
  private var lookUps: [LookUp] = []

  /// What reads the members of one object through a join.
  private var memberSelects: [MemberSelect] = []

  /// A SELECT whose one value is the object's key.
  private struct MemberSelect {
    let join: Int
    let isFirst: Bool
    let sql: String
    let sources: [SQLiteCursor.Source]
  }

  /// A SELECT whose first value is the one that is looked up.
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

  /// Reads the same store over another connection.
  func reader(on connection: Connection) -> SQLiteReader {
    SQLiteReader(connection, at: url, schema: schema, bindings: bindings)
  }

  /// Runs a body and puts SQLite's errors into the store's words.
  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    try PersistentStoreError.mapping(at: url, body)
  }

  func binding(at index: Int) -> EntityBinding { bindings[index - offset] }

  // MARK: Rows

  /// The rows that a plan asks for; they are read as the cursor moves.
  func rows(for plan: FetchPlan) throws -> any RowCursor {
    try cursor(for: plan) ?? judgedRows(for: plan)
  }

  /// The rows that a plan asks for as SQL finds them; nil where the plan is more than SQLite takes.
  func cursor(for plan: FetchPlan, isPlain: Bool? = nil) throws -> SQLiteCursor? {
    let prepared = try mappingErrors {
      try self.statement(for: plan, isPlain: isPlain ?? plan.isPlain)
    }
    guard let (statement, sources) = prepared else { return nil }
    // The owner's key stands behind the columns of the row.
    let isOwnerRead = plan.link.map { $0.owners.count != 1 } ?? false
    return SQLiteCursor(
      statement: statement, sources: sources, scratch: scratch,
      entityColumn: plan.keysOnly ? 1 : 2,
      ownerColumn: isOwnerRead ? statement.columnCount - 1 : nil,
      files: plan.leavesExternalData ? nil : files,
      onError: { [url] in PersistentStoreError($0, at: url) })
  }

  /// The rows of a plan that is more than SQLite takes.
  private func judgedRows(for plan: FetchPlan) throws -> JudgedRows {
    try JudgedRows(plan, of: self, bindings) { whole in
      var whole = whole
      whole.predicate = whole.predicate?.quickPart
      let quick = try cursor(for: whole)
      whole.predicate = nil
      let found = try quick ?? ownCursor(for: whole)
      found.isJudged = true
      return found
    }
  }

  /// The rows of a plan of the store's own, which is never more than SQLite takes.
  ///
  /// - Throws: `PersistentStoreError` where the file has no such table or column.
  func ownCursor(for plan: FetchPlan) throws -> SQLiteCursor {
    guard let cursor = try cursor(for: plan, isPlain: true) else {
      fatalError("A plan of the store's own is too deep.")
    }
    return cursor
  }

  /// The first row that has a value, by a SELECT that is written once for its slot.
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

  /// The row with a key, by a SELECT that is written once for its entity.
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

  /// Reads a value that may be in a file; nil where there is none.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    try mappingErrors {
      let column = schema.columnNames[entity.index - offset][slot].quoted
      let table = schema.tableNames[entity.index - offset].quoted
      let statement = try connection.statement("SELECT \(column) FROM \(table) WHERE Z_PK = ?")
      defer { statement.reset() }
      statement.bind(key, at: 1)
      guard try statement.step(), let stored = statement.blob(at: 0) else { return nil }
      guard let name = ExternalDataFiles.fileName(in: stored) else {
        return Array(ExternalDataFiles.inlineValue(in: stored))
      }
      return try files.read(name)
    }
  }

  /// Hands over which row it is and the values of some expressions for each that a plan asks for.
  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    var writer = writer(for: plan)
    let sql = writer.select(expressions, for: plan)
    guard
      let statement = try mappingErrors({ try prepared(sql, for: plan, writer, isPlain: false) })
    else {
      let rows = try judgedRows(for: plan)
      while try rows.next() {
        try body(
          RowIdentity(key: rows.key, entity: rows.entity), try rows.values(expressions))
      }
      return
    }
    try mappingErrors {
      while try statement.step() {
        let values = expressions.indices.map { statement.scalar(at: Int32($0 + 1)) }
        let entity = plan.entity(among: bindings) {
          statement.integer(at: Int32(expressions.count + 1))
        }
        try body(RowIdentity(key: statement.integer(at: 0), entity: entity), values)
      }
    }
  }

  /// How many rows a plan asks for.
  func count(_ plan: FetchPlan) throws -> Int {
    var plan = plan
    plan.isUnordered = true
    plan.sorts = []
    var writer = writer(for: plan)
    let sql = "SELECT count(*) FROM (\(writer.select(["Z_PK"], for: plan)))"
    guard let statement = try mappingErrors({ try prepared(sql, for: plan, writer) }) else {
      let rows = try judgedRows(for: plan)
      var count = 0
      while try rows.next() { count += 1 }
      return count
    }
    return try mappingErrors {
      try statement.step() ? Int(clamping: statement.integer(at: 0)) : 0
    }
  }

  // MARK: Statements

  /// What writes a plan as SQL.
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
    // Keys alone can be read from an index.
    var columns = plan.keysOnly ? ["Z_PK"] : ["Z_PK", "Z_OPT"]
    if family.count > 1 { columns.append("Z_ENT") }
    // Where each column is, for entities that share some.
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

  /// The statement for what was written, with its values bound; nil where that is more than SQLite
  /// takes.
  ///
  /// - Parameter isPlain: whether nothing can be too much in it, so that an error is the file's.
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
  /// The object whose members are asked for through a join, in their order and whole; nil where
  /// that is not all.
  fileprivate var soleOwner: (end: EntityBinding.JoinEnd, owner: Int64)? {
    guard let link, link.owners.count == 1, isPlain, limit == 0, offset == 0, includesSubentities,
      !keysOnly, !isUnordered
    else { return nil }
    return (link.end, link.owners[0])
  }
}

extension SQLiteReader {
  /// Keeps what is read from now on to the state that the store has now, until `endReading()`.
  func beginReading() throws {
    try mappingErrors {
      try connection.statement("BEGIN").run()
      do {
        // The first thing that is read pins the state.
        try connection.look()
      } catch {
        endReading()
        throw error
      }
    }
  }

  /// Lets what is read be of the newest state again.
  func endReading() {
    // Nothing was written, so nothing can be lost; a read that failed may have ended it already.
    if connection.isInTransaction { try? connection.statement("COMMIT").run() }
  }
}

extension SQLiteStore {
  /// The connections that read beside the one that writes.
  ///
  /// nil where a reader would keep writers out, since the store has no write-ahead log. One that is
  /// only read and thought not to change needs none either: its connection is replaced when it
  /// does.
  static func readerPool(
    beside reader: SQLiteReader, at url: URL, _ identifier: String,
    isThoughtUnchanging: Bool, _ options: PersistentStoreOptions
  ) -> ReaderPool? {
    let connection = reader.connection
    guard connection.expectsLog, !isThoughtUnchanging else { return nil }
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
        try other.obey(SQLitePragmas(options.sqlitePragmas, of: url))
        other.openedFile = openedFile
        try other.refuseIfMoved()
        guard try readMetadata(other, at: url).uuid == identifier else {
          throw PersistentStoreError.fileNotFound(url)
        }
        return reader.reader(on: other)
      }
    }
  }
}
