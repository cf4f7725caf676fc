import SystemLibraries

/// The undo log of a store in SQL tables: a table next to Core Data's, with a row for each command.
///
/// ```sql
/// MO_UNDO (SERIAL, UNDONE, AT, NAME, CHANGES, AUTHOR)
/// ```
///
/// An entry holds the changes that revert its command. Undoing it writes the opposite changes into
/// the same entry and marks it undone, so that redoing is the same operation. The next command
/// makes undone entries permanent (an index finds them at once; mostly they are the last ones);
/// then they only document what was done. Other entries may be marked as skipped: neither undo nor
/// redo considers them. Rows whose old values were restored have a new lock count:
///
/// ```sql
/// MO_UNDO_VERSION (Z_ENT, Z_PK, KNOWN, NOW, SERIAL)
/// ```
///
/// records the count by which older entries know such a row. In a file both tables are created with
/// the first entry, on a server with the store. A log without `AUTHOR` is from an older version,
/// and gets the column with the next entry. Core Data ignores tables that are not its own.
final class SQLUndoLog {
  /// The store's connection.
  var database: any SQLDatabase
  /// The minimum number of entries to keep.
  private let limit: Int
  /// A hash of slots and columns: entries are valid for one layout only.
  private lazy var layout = schema.layoutNumber
  private let schema: SQLSchema
  /// The name of the current command; nil if each save is a command of its own.
  private var command: (name: String, date: Date?, author: String?)?
  /// The entry that this process wrote for the current command.
  private var current: (serial: Int64, date: Double)?
  /// The entry that the running transaction writes.
  private var pending: (serial: Int64, date: Double)?

  /// The upper bound for the length of a run of new rows: each takes some bytes of the file.
  private var maximumRowCount = mostRowsAnyway
  /// A bound that is always accepted, since the file may have shrunk after rows were deleted.
  private static let mostRowsAnyway: Int64 = 1 << 20

  /// The maximum size of an entry that is kept once it can no longer be redone.
  static let mostUndoneBytes = 1 << 22

  static let table = "MO_UNDO"
  static let versions = "MO_UNDO_VERSION"
  static let undoneIndex = "MO_UNDO_UNDONE"

  /// The tables' names in statements.
  private var table: String { schema.dialect.table(Self.table) }
  var versions: String { schema.dialect.table(Self.versions) }

  init(database: any SQLDatabase, limit: Int, schema: SQLSchema) {
    self.database = database
    self.limit = limit
    self.schema = schema
  }

  /// Assigns the following saves to one command, until the next one begins.
  func begin(_ name: String, at date: Date?, by author: String?) {
    command = (name, date, author)
    current = nil
  }

  // MARK: Writing

  /// Writes an entry for a transaction's changes, within it.
  func write(_ recorder: UndoRecorder) throws {
    pending = nil
    guard !recorder.isEmpty else { return }
    do {
      try append(recorder.finish())
    } catch let error as any SQLEngineError where error.lacksPartOfSchema {
      try database.makeUndoLog()
      try append(recorder.finish())
    }
  }

  /// Called when the transaction was committed.
  func didCommit() {
    if command != nil, let pending { current = pending }
    pending = nil
  }

  private func append(_ changes: [UInt8]) throws {
    let now = (command?.date ?? Date()).timeIntervalSinceReferenceDate
    let name = command?.name ?? ""
    if current == nil,
      try database.appendUndoEntry(
        newHeader + changes, to: table, at: now, name, by: command?.author, keeping: limit,
        then: { self.pending = ($0, now) })
    {
      return
    }
    let undone = (
      set: "\(table)\(schema.dialect.indexed(by: Self.undoneIndex))", which: "WHERE UNDONE = 1"
    )
    let last = try database.prepared(
      """
      SELECT SERIAL, UNDONE, AT, (SELECT 1 FROM \(undone.set) \(undone.which) LIMIT 1) FROM \(table)
      ORDER BY SERIAL DESC LIMIT 1
      """)
    var (serial, isDone, date, hasUndone) = (Int64(0), true, 0.0, false)
    if try last.step() {
      (serial, isDone, date) = (last.integer(at: 0), last.integer(at: 1) == 0, last.real(at: 2))
      hasUndone = !last.isNull(at: 3)
    }
    last.reset()
    if let current, isDone, current == (serial, date) {
      pending = current
      return try extend(serial, by: changes)
    }
    guard (0..<Int64.max).contains(serial) else { throw database.damagedUndoLog }
    serial += 1
    date = now
    // Undone commands cannot be redone after a new one.
    if hasUndone {
      // Large entries would make the file grow for little benefit.
      try database.prepared(
        "DELETE FROM \(undone.set) \(undone.which) AND length(CHANGES) > \(Self.mostUndoneBytes)"
      ).run()
      let state = State.undoneForGood(before: serial)
      try database.prepared("UPDATE \(undone.set) SET UNDONE = \(state.number) \(undone.which)")
        .run()
    }
    let insert = try database.prepared(
      """
      INSERT INTO \(table) (SERIAL, UNDONE, AT, NAME, CHANGES, AUTHOR)
      VALUES (?, 0, ?, ?, ?, ?)
      """)
    insert.bind(serial, at: 1)
    insert.bind(date, at: 2)
    insert.bind(name, at: 3)
    insert.bind(newHeader + changes, at: 4)
    if let author = command?.author { insert.bind(author, at: 5) } else { insert.bindNull(at: 5) }
    try insert.run()
    pending = (serial, date)
    try pruneSometimes(after: serial)
  }

  /// Prunes in batches, so that most commands need not prune at all.
  private func pruneSometimes(after serial: Int64) throws {
    if serial % 64 == 0, serial > limit { try prune(upTo: serial - Int64(limit)) }
  }

  private func extend(_ serial: Int64, by changes: [UInt8]) throws {
    guard let entry = try entry(serial), let (header, end) = UndoEntryHeader.read(entry.bytes)
    else { throw database.damagedUndoLog }
    try set(header.withOtherState().bytes + entry.bytes[end...] + changes, .done, of: serial)
  }

  /// Deletes all entries, including undone and skipped ones; does nothing if there is no log.
  func removeAll() throws {
    do {
      for table in [table, versions] {
        try database.prepared("DELETE FROM \(table)").run()
      }
    } catch let error as any SQLEngineError where error.lacksPartOfSchema {
      // There is no log.
    }
    current = nil
  }

  private func prune(upTo serial: Int64) throws {
    for table in [table, versions] {
      let statement = try database.prepared("DELETE FROM \(table) WHERE SERIAL <= ?")
      statement.bind(serial, at: 1)
      try statement.run()
    }
  }

  // MARK: Entries

  /// Entries, newest first; none if there is no log.
  ///
  /// - Parameters:
  ///   - condition: an SQL condition that selects entries.
  ///   - limit: the maximum number of entries; nil for all.
  func entries(
    where condition: String? = nil, ascending: Bool = false, limit: Int? = nil
  ) throws -> [Entry] {
    func select(_ author: String) throws -> (any SQLStatement)? {
      do {
        return try database.prepared(
          """
          SELECT SERIAL, UNDONE, AT, NAME, CHANGES, \(author) FROM \(table)
          \(condition.map { "WHERE \($0)" } ?? "") ORDER BY SERIAL \(ascending ? "ASC" : "DESC")
          \(limit.map { "LIMIT \($0)" } ?? "")
          """)
      } catch let error as any SQLEngineError where error.lacksPartOfSchema {
        return nil
      }
    }
    // Older versions of the log have no column for the author.
    guard let statement = try select("AUTHOR") ?? select("NULL") else { return [] }
    defer { statement.reset() }
    maximumRowCount = try max(Self.mostRowsAnyway, database.maximumRowCount())
    var found: [Entry] = []
    while try statement.step() {
      found.append(
        Entry(
          serial: statement.integer(at: 0),
          state: State(statement.integer(at: 1)),
          date: statement.real(at: 2), name: statement.string(at: 3) ?? "",
          author: statement.string(at: 5),
          bytes: statement.blob(at: 4).map { Array($0) } ?? []))
    }
    return found
  }

  /// The number of entries in a state.
  func count(of state: State) throws -> Int {
    do {
      let statement = try database.prepared(
        "SELECT count(*) FROM \(table) WHERE UNDONE = \(state.number)")
      defer { statement.reset() }
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    } catch let error as any SQLEngineError where error.lacksPartOfSchema {
      return 0
    }
  }

  private func entry(_ serial: Int64) throws -> Entry? {
    try entries(where: "SERIAL = \(serial)").first
  }

  /// The next entry to undo or redo, among those of an author or without one; nil for any author.
  func next(undone: Bool, by author: String? = nil) throws -> Entry? {
    // Most logs have a single author: then the first entry matches, and no other is read.
    var limit = 1
    while true {
      let found = try entries(
        where: "UNDONE = \(undone ? 1 : 0)", ascending: undone, limit: limit)
      if let own = found.first(where: { $0.isOwn(of: author) }) { return own }
      guard found.count == limit else { return nil }
      limit *= 8
    }
  }

  /// Replaces an entry's changes and state.
  func set(_ bytes: [UInt8], _ state: State, of serial: Int64) throws {
    let statement = try database.prepared(
      "UPDATE \(table) SET UNDONE = ?, CHANGES = ? WHERE SERIAL = ?")
    statement.bind(state.number, at: 1)
    statement.bind(bytes, at: 2)
    statement.bind(serial, at: 3)
    try statement.run()
  }

  // MARK: Bytes

  /// The first bytes of a new entry.
  private var newHeader: [UInt8] {
    UndoEntryHeader(layout: layout, states: []).withNewState().bytes
  }

  /// The bytes of an entry with other changes, whose command reaches a new state.
  func bytes(_ changes: [UInt8], of entry: Entry) -> [UInt8] {
    UndoEntryHeader(layout: layout, states: states(of: entry)).withNewState().bytes + changes
  }

  /// A reader of an entry's changes; nil if they are in another format or belong to another model.
  func reader(of entry: Entry) -> UndoReader? {
    guard let (header, end) = UndoEntryHeader.read(entry.bytes), header.layout == layout else {
      return nil
    }
    return UndoReader(entry.bytes, from: end, maximumRowCount: maximumRowCount)
  }

  /// Whether an entry can be read to its end, or belongs to another model.
  func isReadable(_ entry: Entry) -> Bool {
    guard var reader = reader(of: entry) else { return UndoEntryHeader.read(entry.bytes) != nil }
    do throws(StoreUndoError) {
      while try reader.next() != nil {}
      return true
    } catch {
      return false
    }
  }

  /// The numbers of the states that an entry's command has reached, at least one.
  func states(of entry: Entry) -> [UInt64] {
    if let states = UndoEntryHeader.read(entry.bytes)?.header.states, !states.isEmpty {
      return states
    }
    // An entry in the older format has none, so they are derived from its other columns.
    var number = FNV1a(
      "\(entry.serial) \(entry.date.bitPattern) \(entry.name) \(entry.author ?? "")")
    let done = number.value
    guard entry.state.isUndone else { return [done] }
    number.add(" undone")
    return [done, number.value]
  }
}

@available(*, unavailable) extension SQLUndoLog: Sendable {}

extension SQLSchema {
  /// A hash (FNV-1a) of the names and kinds of all columns, in the order of their slots.
  var layoutNumber: UInt64 {
    var number = FNV1a()
    for (binding, names) in zip(bindings, columnNames) {
      number.add(binding.name)
      for (name, kind) in zip(names, binding.kinds) {
        number.add(name)
        number.add(kind.rawValue)
      }
    }
    for join in joins { number.add(join.table) }
    return number.value
  }
}
