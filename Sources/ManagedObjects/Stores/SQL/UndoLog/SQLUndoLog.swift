import SystemLibraries

/// The undo log of a store in SQL's tables: one beside Core Data's, with a row for each command.
///
/// ```sql
/// MO_UNDO (SERIAL, UNDONE, AT, NAME, CHANGES, AUTHOR)
/// ```
///
/// An entry holds what takes its command back. Taking it back writes the opposite into the same
/// entry and marks it undone, so that doing it again is the same work; with the next command the
/// undone entries, mostly the last ones, can't be done again any more (an index holds them, so they
/// are found at once), and stay only to say what was done. Among the others may be some that were
/// passed over, which neither undo nor redo comes to. Rows that were given values of old have a new
/// lock count:
///
/// ```sql
/// MO_UNDO_VERSION (Z_ENT, Z_PK, KNOWN, NOW, SERIAL)
/// ```
///
/// tells under which count older entries know such a row. In a file both tables are made with the
/// first entry, at a server with the store. A log without `AUTHOR` is of an earlier form, and gets
/// it with the next entry. Core Data leaves tables alone that are not its own.
final class SQLUndoLog {
  /// The store's connection.
  var database: any SQLDatabase
  /// How many entries are kept at least.
  private let limit: Int
  /// A number that differs where slots and columns differ: entries are good for one layout only.
  private lazy var layout = schema.layoutNumber
  private let schema: SQLSchema
  /// What the program calls what it does now; nil where each save is a command of its own.
  private var command: (name: String, date: Date?, author: String?)?
  /// The entry that this process wrote for the command.
  private var current: (serial: Int64, date: Double)?
  /// The entry that the running transaction writes.
  private var pending: (serial: Int64, date: Double)?

  /// More rows than a run of new ones can have: a row takes some bytes of the file.
  private var mostRows = mostRowsAnyway
  /// Of so many nobody wonders, though others have deleted them and the file has shrunk since.
  private static let mostRowsAnyway: Int64 = 1 << 20

  /// Entries that are undone for good stay where they have no more bytes.
  static let mostUndoneBytes = 1 << 22

  static let table = "MO_UNDO"
  static let versions = "MO_UNDO_VERSION"
  static let undoneIndex = "MO_UNDO_UNDONE"

  /// Both tables, as statements name them.
  private var table: String { schema.dialect.table(Self.table) }
  var versions: String { schema.dialect.table(Self.versions) }

  init(database: any SQLDatabase, limit: Int, schema: SQLSchema) {
    self.database = database
    self.limit = limit
    self.schema = schema
  }

  /// From here on saves belong to one command, until the next one is named.
  func begin(_ name: String, at date: Date?, by author: String?) {
    command = (name, date, author)
    current = nil
  }

  // MARK: Writing

  /// Writes an entry for what a transaction changed, inside of it.
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

  /// The transaction was committed.
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
    // Nothing can be done again behind a new one.
    if hasUndone {
      // Large ones would grow the file for little.
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

  /// Some at a time, so that most commands have nothing to do here.
  private func pruneSometimes(after serial: Int64) throws {
    if serial % 64 == 0, serial > limit { try prune(upTo: serial - Int64(limit)) }
  }

  private func extend(_ serial: Int64, by changes: [UInt8]) throws {
    guard let entry = try entry(serial), let (header, end) = UndoEntryHeader.read(entry.bytes)
    else { throw database.damagedUndoLog }
    try set(header.withOtherState().bytes + entry.bytes[end...] + changes, .done, of: serial)
  }

  /// Takes all entries out, those that were passed over or undone too; nothing where there is no
  /// log.
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

  /// Entries, the newest first; none where there is no log.
  ///
  /// - Parameters:
  ///   - condition: which ones, in SQL; they are the last of their kind.
  ///   - limit: how many at most; nil for all.
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
    // A log of an earlier form has no authors.
    guard let statement = try select("AUTHOR") ?? select("NULL") else { return [] }
    defer { statement.reset() }
    mostRows = try max(Self.mostRowsAnyway, database.mostRows())
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

  /// How many entries are in a state.
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

  /// The entry that would be taken back next, or done again: of an author, or of nobody; nil for
  /// anyone's.
  func next(undone: Bool, by author: String? = nil) throws -> Entry? {
    // Most logs have one author: then the first is the one, and no other's bytes are read.
    var limit = 1
    while true {
      let found = try entries(
        where: "UNDONE = \(undone ? 1 : 0)", ascending: undone, limit: limit)
      if let own = found.first(where: { $0.isOwn(of: author) }) { return own }
      guard found.count == limit else { return nil }
      limit *= 8
    }
  }

  /// Gives an entry other changes.
  func set(_ bytes: [UInt8], _ state: State, of serial: Int64) throws {
    let statement = try database.prepared(
      "UPDATE \(table) SET UNDONE = ?, CHANGES = ? WHERE SERIAL = ?")
    statement.bind(state.number, at: 1)
    statement.bind(bytes, at: 2)
    statement.bind(serial, at: 3)
    try statement.run()
  }

  // MARK: Bytes

  /// What a new entry begins with.
  private var newHeader: [UInt8] {
    UndoEntryHeader(layout: layout, states: []).withNewState().bytes
  }

  /// Other changes for an entry whose command comes to a new state.
  func bytes(_ changes: [UInt8], of entry: Entry) -> [UInt8] {
    UndoEntryHeader(layout: layout, states: states(of: entry)).withNewState().bytes + changes
  }

  /// Reads an entry's changes; nil where they are in another form, or of another model.
  func reader(of entry: Entry) -> UndoReader? {
    guard let (header, end) = UndoEntryHeader.read(entry.bytes), header.layout == layout else {
      return nil
    }
    return UndoReader(entry.bytes, from: end, mostRows: mostRows)
  }

  /// The numbers of the states that an entry's command has come to, at least one.
  func states(of entry: Entry) -> [UInt64] {
    if let states = UndoEntryHeader.read(entry.bytes)?.header.states, !states.isEmpty {
      return states
    }
    // One of the earlier form, which everything else tells from others.
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
  /// A number made of all names and kinds of columns in the order of their slots (FNV-1a).
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
