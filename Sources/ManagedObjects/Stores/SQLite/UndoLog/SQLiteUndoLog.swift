import SystemLibraries

/// The undo log of a SQLite store: a table beside Core Data's, with a row for each command.
///
/// ```sql
/// MO_UNDO (SERIAL, UNDONE, AT, NAME, CHANGES)
/// ```
///
/// An entry holds what takes its command back. Taking it back writes the opposite into the same
/// entry and marks it undone, so that doing it again is the same work; the undone entries are the
/// last ones, and go with the next command. Among them may be some that were passed over, which neither
/// undo nor redo comes to any more. Rows that were given values of old have a new lock count:
///
/// ```sql
/// MO_UNDO_VERSION (Z_ENT, Z_PK, KNOWN, NOW, SERIAL)
/// ```
///
/// tells under which count older entries know such a row. Both tables are made with the first entry.
/// Who gave a command stands beside it, so that programs which know no authors write entries as ever:
///
/// ```sql
/// MO_UNDO_AUTHOR (SERIAL, AT, AUTHOR)
/// ```
///
/// A row there belongs to the entry of that number and that moment: numbers may be given anew. Core
/// Data leaves tables alone that are not its own.
final class SQLiteUndoLog {
  /// The store's connection.
  var connection: Connection
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

  /// One entry.
  struct Entry {
    let serial: Int64
    let state: State
    let date: Double
    let name: String
    /// Who gave the command; nil where nobody said.
    fileprivate(set) var author: String?
    let bytes: [UInt8]

    /// Whether it is one that somebody may take back as his own: nobody's is anyone's.
    func isOwn(of author: String?) -> Bool {
      author == nil || self.author == nil || self.author == author
    }
  }

  /// What `UNDONE` says of an entry.
  enum State: Int64 {
    /// It can be taken back.
    case done
    /// It was taken back, and can be done again.
    case undone
    /// Neither: somebody changed its rows since, and it was passed over.
    case skipped
  }

  /// More rows than a run of new ones can have: a row takes some bytes of the file.
  private var mostRows = mostRowsAnyway
  /// Of so many nobody wonders, though others have deleted them and the file has shrunk since.
  private static let mostRowsAnyway: Int64 = 1 << 20

  static let table = "MO_UNDO"
  static let versions = "MO_UNDO_VERSION"
  static let authors = "MO_UNDO_AUTHOR"
  /// The index of undone entries, made with the first one that is not the last entry.
  private static let undoneIndex = "MO_UNDO_UNDONE"
  private static let headerSize = 9

  init(connection: Connection, limit: Int, schema: SQLSchema) {
    self.connection = connection
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
    } catch let error as SQLiteError {
      guard error.isMissingTable else { throw error }
      try makeTables()
      try append(recorder.finish())
    }
  }

  /// The transaction was committed.
  func didCommit() {
    if command != nil, let pending { current = pending }
    pending = nil
  }

  private func append(_ changes: [UInt8]) throws {
    let last = try connection.statement(
      "SELECT SERIAL, UNDONE, AT FROM \(Self.table) ORDER BY SERIAL DESC LIMIT 1")
    var (serial, isDone, date) = (Int64(0), true, 0.0)
    if try last.step() {
      (serial, isDone, date) = (last.integer(at: 0), last.integer(at: 1) == 0, last.real(at: 2))
    }
    last.reset()
    if let current, isDone, current == (serial, date) {
      pending = current
      return try extend(serial, by: changes)
    }
    // Of several authors, one may have taken back what is not the last entry.
    if try !isDone || hasUndoneIndex() {
      try connection.statement("DELETE FROM \(Self.table) WHERE UNDONE = 1").run()
    }
    guard serial < Int64.max else { throw SQLiteError.damagedUndoLog }
    serial += 1
    date = (command?.date ?? Date()).timeIntervalSinceReferenceDate
    let insert = try connection.statement("INSERT INTO \(Self.table) VALUES (?, 0, ?, ?, ?)")
    insert.bind(serial, at: 1)
    insert.bind(date, at: 2)
    insert.bind(command?.name ?? "", at: 3)
    insert.bind(header + changes, at: 4)
    try insert.run()
    if let author = command?.author { try write(author, of: serial, date) }
    pending = (serial, date)
    // Some at a time, so that most commands have nothing to do here.
    if serial % 64 == 0, serial > limit { try prune(upTo: serial - Int64(limit)) }
  }

  private func extend(_ serial: Int64, by changes: [UInt8]) throws {
    guard let entry = try entry(serial) else { throw SQLiteError.damagedUndoLog }
    try set(entry.bytes + changes, .done, of: serial)
  }

  /// Takes all entries out, those that were passed over or undone too; nothing where there is no log.
  func removeAll() throws {
    do {
      for table in [Self.table, Self.versions, Self.authors] {
        try connection.statement("DELETE FROM \(table)").run()
      }
    } catch {
      guard error.isMissingTable else { throw error }
    }
    current = nil
  }

  private func prune(upTo serial: Int64) throws {
    for table in [Self.table, Self.versions, Self.authors] {
      do {
        let statement = try connection.statement("DELETE FROM \(table) WHERE SERIAL <= ?")
        statement.bind(serial, at: 1)
        try statement.run()
      } catch {
        // No author was ever named.
        guard table == Self.authors, error.isMissingTable else { throw error }
      }
    }
  }

  private func makeTables() throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Self.table) (
        SERIAL INTEGER PRIMARY KEY, UNDONE INTEGER, AT REAL, NAME TEXT, CHANGES BLOB);
      CREATE TABLE IF NOT EXISTS \(Self.versions) (
        Z_ENT INTEGER, Z_PK INTEGER, KNOWN INTEGER, NOW INTEGER, SERIAL INTEGER,
        PRIMARY KEY (Z_ENT, Z_PK)) WITHOUT ROWID
      """)
  }

  // MARK: Authors

  private func write(_ author: String, of serial: Int64, _ date: Double) throws {
    func insert() throws(SQLiteError) {
      let statement = try connection.statement(
        "INSERT OR REPLACE INTO \(Self.authors) VALUES (?, ?, ?)")
      statement.bind(serial, at: 1)
      statement.bind(date, at: 2)
      statement.bind(author, at: 3)
      try statement.run()
    }
    do throws(SQLiteError) {
      try insert()
    } catch {
      guard error.isMissingTable else { throw error }
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS \(Self.authors) (
          SERIAL INTEGER PRIMARY KEY, AT REAL, AUTHOR TEXT)
        """)
      try insert()
    }
  }

  /// Gives entries their authors; those that a program without authors wrote have none.
  private func addAuthors(to entries: inout [Entry]) throws {
    let serials = entries.map(\.serial)
    guard let first = serials.min(), let last = serials.max() else { return }
    let statement: Statement
    do {
      statement = try connection.statement(
        "SELECT SERIAL, AT, AUTHOR FROM \(Self.authors) WHERE SERIAL BETWEEN ? AND ?")
    } catch {
      guard error.isMissingTable else { throw error }
      return
    }
    defer { statement.reset() }
    statement.bind(first, at: 1)
    statement.bind(last, at: 2)
    var authors: [Int64: (date: Double, name: String)] = [:]
    while try statement.step() {
      authors[statement.integer(at: 0)] = (statement.real(at: 1), statement.string(at: 2) ?? "")
    }
    for index in entries.indices {
      guard let author = authors[entries[index].serial], author.date == entries[index].date,
        !author.name.isEmpty
      else { continue }
      entries[index].author = author.name
    }
  }

  /// Whether an entry was undone that was not the last one.
  private func hasUndoneIndex() throws -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = '\(Self.undoneIndex)'")
    defer { statement.reset() }
    return try statement.step()
  }

  /// Makes the undone entries quick to find, before one is undone that is not the last one.
  func prepareUndoing(_ entry: Entry) throws {
    guard try next(undone: false)?.serial != entry.serial else { return }
    try connection.execute(
      """
      CREATE INDEX IF NOT EXISTS \(Self.undoneIndex) ON \(Self.table) (SERIAL) WHERE UNDONE = 1
      """)
  }

  // MARK: Entries

  /// Entries, the newest first; none where there is no log.
  ///
  /// - Parameter condition: which ones, in SQL; they are the last of their kind.
  func entries(where condition: String = "1", ascending: Bool = false, limit: Int = -1) throws
    -> [Entry]
  {
    let statement: Statement
    do {
      statement = try connection.statement(
        """
        SELECT SERIAL, UNDONE, AT, NAME, CHANGES FROM \(Self.table) WHERE \(condition)
        ORDER BY SERIAL \(ascending ? "ASC" : "DESC") LIMIT \(limit)
        """)
    } catch {
      guard error.isMissingTable else { throw error }
      return []
    }
    defer { statement.reset() }
    mostRows = try max(Self.mostRowsAnyway, connection.byteCount() / 8)
    var found: [Entry] = []
    while try statement.step() {
      found.append(
        Entry(
          serial: statement.integer(at: 0),
          state: State(rawValue: statement.integer(at: 1)) ?? .skipped,
          date: statement.real(at: 2), name: statement.string(at: 3) ?? "", author: nil,
          bytes: statement.blob(at: 4).map { Array($0) } ?? []))
    }
    try addAuthors(to: &found)
    return found
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
    let statement = try connection.statement(
      "UPDATE \(Self.table) SET UNDONE = ?, CHANGES = ? WHERE SERIAL = ?")
    statement.bind(state.rawValue, at: 1)
    statement.bind(bytes, at: 2)
    statement.bind(serial, at: 3)
    try statement.run()
  }

  // MARK: Bytes

  /// What every entry begins with: the form's number, and the layout's.
  var header: [UInt8] {
    [1] + stride(from: UInt64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: layout >> $0) }
  }

  /// Reads an entry's changes; nil where they are in another form, or of another model.
  func reader(of entry: Entry) -> UndoReader? {
    guard entry.bytes.starts(with: header) else { return nil }
    return UndoReader(entry.bytes, from: Self.headerSize, mostRows: mostRows)
  }

  // MARK: Lock counts

  /// The lock count under which entries know a row that has one now.
  func known(_ root: EntityBinding, _ key: Int64, _ version: Int64) throws -> Int64 {
    let statement: Statement
    do {
      statement = try connection.statement(
        "SELECT KNOWN FROM \(Self.versions) WHERE Z_ENT = ? AND Z_PK = ? AND NOW = ?")
    } catch {
      guard error.isMissingTable else { throw error }
      return version
    }
    defer { statement.reset() }
    statement.bind(Int64(root.number), at: 1)
    statement.bind(key, at: 2)
    statement.bind(version, at: 3)
    return try statement.step() ? statement.integer(at: 0) : version
  }

  /// Notes the lock count of a row that was given values of old.
  func note(
    _ root: EntityBinding, _ key: Int64, known: Int64, now: Int64, serial: Int64
  ) throws {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO \(Self.versions) VALUES (?, ?, ?, ?, ?)")
    statement.bind(Int64(root.number), at: 1)
    statement.bind(key, at: 2)
    statement.bind(known, at: 3)
    statement.bind(now, at: 4)
    statement.bind(serial, at: 5)
    try statement.run()
  }
}

@available(*, unavailable) extension SQLiteUndoLog: Sendable {}

extension SQLSchema {
  /// A number made of all names and kinds of columns in the order of their slots (FNV-1a).
  var layoutNumber: UInt64 {
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for (binding, names) in zip(bindings, columnNames) {
      for byte in binding.name.utf8 { add(byte) }
      for (name, kind) in zip(names, binding.kinds) {
        for byte in name.utf8 { add(byte) }
        add(kind.rawValue)
      }
    }
    for join in joins {
      for byte in join.table.utf8 { add(byte) }
    }
    return number
  }
}
