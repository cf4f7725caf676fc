#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import DataModel

/// A store that is Core Data's own SQLite file.
///
/// Not used by two threads at once: the coordinator's lock sees to that.
final class SQLiteStore: PersistentStore, @unchecked Sendable {
  private(set) var connection: Connection
  private var readOnly: ReadOnlyUse?
  let schema: SQLSchema
  let fileURL: URL
  let files: ExternalDataFiles
  private let scratch = ScratchRow()
  private let onError: (SQLiteError) -> any Error
  /// What a save prepared before, by entity: see `SQLiteStore+Saving`.
  var inserts: [Statement?]
  /// What reads one row, by entity; empty until a fault was read.
  private var rowCursors: [SQLiteCursor?] = []
  /// What looks rows up by a value, by entity and slot.
  private var lookUps: [LookUp] = []
  var updates: [UpdateKey: Statement] = [:]

  /// An UPDATE is kept by its entity and by which slots it writes.
  struct UpdateKey: Hashable {
    let entity: Int
    let slots: [Int]
  }

  let joins: [JoinBinding]

  /// The log of commands that can be taken back; nil where none is kept.
  var undoLog: SQLiteUndoLog?

  /// How a store is used that is only read.
  struct ReadOnlyUse {
    let busyTimeout: Double
    /// How its files were when they were opened, where a change would go unseen.
    let traces: ReadOnlyFile.Traces?
  }

  init(
    connection: Connection, url: URL, identity: PersistentStoreIdentity, offset: Int,
    bindings: [EntityBinding], joins: [JoinBinding], schema: SQLSchema, readOnly: ReadOnlyUse?
  ) {
    self.connection = connection
    fileURL = url
    onError = { PersistentStoreError($0, at: url) }
    files = ExternalDataFiles(of: url)
    self.joins = joins
    self.readOnly = readOnly
    self.schema = schema
    inserts = Array(repeating: nil, count: bindings.count)
    super.init(
      type: .sqlite, url: url, identity: identity, bindings: bindings, offset: offset,
      isReadOnly: readOnly != nil)
  }

  // MARK: Reading

  override var state: UInt32? { connection.state }

  override func rows(for plan: FetchPlan) throws -> any RowCursor {
    try cursor(for: plan)
  }

  /// A SELECT whose first value is the one that is looked up.
  private struct LookUp {
    let entity: Int
    let slot: Int
    let cursor: SQLiteCursor
  }

  /// A value is looked up by a SELECT that is written once for its slot.
  override func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> FoundRow? {
    try told { try followChanges() }
    let cursor: SQLiteCursor
    if let kept = lookUps.first(where: { $0.entity == entity.index && $0.slot == slot }) {
      cursor = kept.cursor
    } else {
      cursor = try self.cursor(for: FetchPlan(lookingUp: value, at: slot, of: entity))
      lookUps.append(LookUp(entity: entity.index, slot: slot, cursor: cursor))
    }
    guard let row = try cursor.row(with: value) else { return nil }
    return (cursor.key, binding(at: cursor.entity), row)
  }

  /// A fault is read by a SELECT that is written once for its entity.
  override func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    try told { try followChanges() }
    let place = entity.index - offset
    if rowCursors.isEmpty { rowCursors = Array(repeating: nil, count: bindings.count) }
    let cursor: SQLiteCursor
    if let kept = rowCursors[place] {
      cursor = kept
    } else {
      var plan = FetchPlan(entity: entity)
      plan.predicate = .selfIn(BoundKeys([key]))
      cursor = try self.cursor(for: plan)
      rowCursors[place] = cursor
    }
    guard let row = try cursor.row(with: .integer(key)) else { return nil }
    return (binding(at: cursor.entity), row)
  }

  override func beginReading() throws {
    try told {
      try followChanges()
      try connection.statement("BEGIN").run()
    }
  }

  // Nothing was written, so nothing can be lost; a read that failed may have ended it already.
  override func endReading() {
    if connection.isInTransaction { try? connection.statement("COMMIT").run() }
  }

  override func beginWriting() throws {
    try refuseIfReadOnly()
    try told { try connection.beginAhead() }
  }

  override func endWriting() { connection.endAhead() }

  private func cursor(for plan: FetchPlan) throws -> SQLiteCursor {
    let (statement, sources) = try statement(for: plan)
    return cursor(running: statement, sources, for: plan)
  }

  private func cursor(
    running statement: Statement, _ sources: [SQLiteCursor.Source], for plan: FetchPlan
  ) -> SQLiteCursor {
    // The owner's key stands behind the columns of the row.
    let isOwnerRead = plan.link.map { $0.owners.count != 1 } ?? false
    return SQLiteCursor(
      statement: statement, sources: sources, scratch: scratch,
      ownerColumn: isOwnerRead ? statement.columnCount - 1 : nil,
      files: plan.leavesExternalData ? nil : files,
      onError: onError)
  }

  private func statement(
    for plan: FetchPlan
  ) throws -> (statement: Statement, sources: [SQLiteCursor.Source]) {
    let family = plan.includesSubentities ? plan.entity.family : [plan.entity.index]
    var columns = ["Z_PK", "Z_OPT"]
    if family.count > 1 { columns.append("Z_ENT") }
    // Where each column is, for entities that share some.
    var places: [String: Int32] = [:]
    var sources: [SQLiteCursor.Source] = []
    for place in family {
      let names = plan.keysOnly ? [] : schema.columnNames[place - offset]
      sources.append(
        .init(
          binding(at: place),
          columns: names.map { name in
            if family.count > 1, let place = places[name] { return place }
            let place = Int32(columns.count)
            columns.append(name)
            if family.count > 1 { places[name] = place }
            return place
          }))
    }
    var writer = SQLWriter(entity: plan.entity, schema: schema, bindings: bindings)
    let sql = writer.select(columns, for: plan)
    return (try told { try prepared(sql, for: plan, writer) }, sources)
  }

  override func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression], _ body: ([Scalar?]) throws -> Void
  ) throws {
    var writer = SQLWriter(entity: plan.entity, schema: schema, bindings: bindings)
    let list = expressions.map { writer.sql($0) }.joined(separator: ", ")
    let sql = writer.select(list: list, for: plan)
    try told {
      let statement = try prepared(sql, for: plan, writer)
      defer { statement.reset() }
      while try statement.step() {
        try body((0..<Int32(expressions.count)).map { statement.scalar(at: $0) })
      }
    }
  }

  override func count(_ plan: FetchPlan) throws -> Int {
    var plan = plan
    plan.isUnordered = true
    plan.sorts = []
    var writer = SQLWriter(entity: plan.entity, schema: schema, bindings: bindings)
    let sql = "SELECT count(*) FROM (\(writer.select(["Z_PK"], for: plan)))"
    return try told {
      let statement = try prepared(sql, for: plan, writer)
      defer { statement.reset() }
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  /// The statement for what was written, with its values bound.
  func prepared(_ sql: String, for plan: FetchPlan, _ writer: SQLWriter) throws -> Statement {
    try followChanges()
    if plan.sorts.contains(where: { $0.order != .bytes }) { try connection.defineTextOrders() }
    if writer.needsFunctions { try connection.definePredicateFunctions(files: files) }
    let statement = try connection.statement(sql)
    for (place, value) in writer.values.enumerated() {
      statement.bind(value, at: Int32(place + 1))
    }
    return statement
  }

  /// Opens a file anew that was thought not to change, and has.
  func followChanges() throws {
    guard let use = readOnly, let traces = use.traces, !connection.isInTransaction,
      ReadOnlyFile.Traces(of: fileURL.filePath) != traces
    else { return }
    let opened = try ReadOnlyFile(path: fileURL.filePath, busyTimeout: use.busyTimeout).open()
    rowCursors = []
    lookUps = []
    connection = opened.connection
    undoLog?.connection = connection
    readOnly = ReadOnlyUse(busyTimeout: use.busyTimeout, traces: opened.traces)
  }

  func refuseIfReadOnly() throws {
    if isReadOnly { throw PersistentStoreError.readOnly(fileURL) }
  }

  /// Runs a body and puts SQLite's errors into the store's words.
  func told<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: fileURL)
    }
  }

  // MARK: Writing

  /// Writes all changes in one `BEGIN IMMEDIATE … COMMIT`; when it returns they are on the disk.
  override func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    try refuseIfReadOnly()
    return try told {
      let files = ExternalDataChanges(in: files)
      do {
        let result = try recordedTransaction { recorder in
          var save = SQLiteSave(store: self, request: request, files: files, recorder: recorder)
          let result = try save.run()
          try body()
          return result
        }
        files.finish()
        shortenLog()
        return result
      } catch {
        files.undo()
        throw error
      }
    }
  }

  override func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    try refuseIfReadOnly()
    return try told { try takeKeys(count, of: root) }
  }

  override func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)]
  ) throws -> [BatchedRow]? {
    try refuseIfReadOnly()
    return try updateAtOnce(plan, values)
  }

  override func delete(_ plan: FetchPlan) throws -> [BatchedRow]? {
    try refuseIfReadOnly()
    return try deleteAtOnce(plan)
  }

  // MARK: Metadata

  override func metadata() throws -> [String: PropertyList] {
    try told {
      try followChanges()
      return try Self.readMetadata(connection, at: fileURL).all
    }
  }

  override func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    try refuseIfReadOnly()
    try told {
      try recordedTransaction { recorder in
        try Self.changeMetadata(connection, at: fileURL, recorder, change)
      }
      shortenLog()
    }
  }

  /// The length from which the log is emptied.
  ///
  /// Every process reads the whole log when it opens the store, and emptying it costs three syncs.
  /// With an `add` of six pages that is one more sync in five, and two fifths of a mebibyte.
  private static let pagesInLongLog = 96

  /// Moves the log into the file once it has grown, unless another process stands in the way.
  ///
  /// Automatic checkpoints are off: a program that ends after one command would copy the whole log
  /// anew with each.
  func shortenLog() {
    if connection.pagesInLog >= Self.pagesInLongLog { connection.checkpoint() }
  }
}

extension Statement {
  func bind(_ value: SQLValue, at parameter: Int32) {
    switch value {
    case .key(let key), .scalar(.integer(let key)): bind(key, at: parameter)
    case .scalar(.real(let number)): bind(number, at: parameter)
    case .scalar(.text(let text)), .text(let text): bind(text: text, at: parameter)
    case .scalar(.bytes(let bytes)): bind(bytes, at: parameter)
    case .list(let values): bind(list: values, at: parameter)
    }
  }

  func bind(_ value: AttributeValue, at parameter: Int32) {
    switch value {
    case .integer(let number): bind(number, at: parameter)
    case .boolean(let flag): bind(flag ? Int64(1) : 0, at: parameter)
    case .double(let number): bind(number, at: parameter)
    case .decimal(let number): bind(number.stored, at: parameter)
    case .date(let date): bind(date.timeIntervalSinceReferenceDate, at: parameter)
    case .string(let text): bind(text, at: parameter)
    case .uri(let url): bind(url.absoluteString, at: parameter)
    case .uuid(let uuid): bind(withUnsafeBytes(of: uuid.uuid) { Array($0) }, at: parameter)
    case .binary(let data): bind(Array(data), at: parameter)
    }
  }
}
