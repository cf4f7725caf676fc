import DataModel
import SystemLibraries

/// The migration of one store from a model to another, in the caller's transaction.
///
/// Rows stay in their tables as long as the columns do; a table that loses a column, or whose rows
/// go to different tables, is copied into a new one. Keys are the same in any case. New tables have
/// temporary names (`MO_MIGRATING_…`) until all are complete, since names may have been exchanged.
struct StoreMigration {
  let connection: Connection
  let url: URL
  let mapping: BoundMapping
  let model: ManagedObjectModel
  let contents: StoreContents
  /// The files of large values that are written and dropped.
  let files: ExternalDataChanges
  let storedFiles: ExternalDataFiles
  let tables: [TableMigration]
  let joins: [JoinMigration]
  /// Whether keys are unique across all entities.
  let keysAreOfAllEntities: Bool
  private let progress: MigrationProgress
  /// The temporary names of tables, with their final names.
  private var moving: [(from: String, to: String)] = []

  init(
    _ connection: Connection, at url: URL, _ mapping: BoundMapping, to model: ManagedObjectModel,
    contents: StoreContents, files: ExternalDataChanges, keepsColumns: Bool,
    keysAreOfAllEntities: Bool, progress: @escaping (Double) -> Void
  ) throws {
    self.connection = connection
    self.url = url
    self.mapping = mapping
    self.model = model
    self.contents = contents
    self.files = files
    self.keysAreOfAllEntities = keysAreOfAllEntities
    storedFiles = ExternalDataFiles(of: url)
    self.progress = MigrationProgress(progress)
    let roots = mapping.destination.bindings.filter { $0.root == $0.index }
    tables = try zip(mapping.destination.tables, roots).map { table, root in
      try TableMigration(
        table, of: root, mapping, contents: contents, keepsColumns: keepsColumns)
    }
    joins = try mapping.destination.joins.indices.map { index in
      try JoinMigration(index, mapping, contents: contents)
    }
  }

  /// Migrates the store.
  ///
  /// - Throws: `MigrationError`, `SQLiteError`, `PersistentStoreError`; the transaction must be
  ///   rolled back then.
  mutating func run() throws {
    try refuseObjectsOfAbstractEntities()
    try refuseRowsOfNoEntity()
    try dropFilesOfRemovedValues()
    try dropTriggers()
    let indexes = try IndexMigration(self)
    try indexes.dropOld()
    let counts = try tables.map(rowCount)
    // Each row is written, given values, and indexed.
    for count in counts { progress.expect(3 * count) }
    // Links first: they may be stored in columns that are dropped.
    for join in joins { try migrate(join) }
    for (table, count) in zip(tables, counts) {
      progress.begin(count)
      try migrate(table)
      progress.endRows()
    }
    try dropOldTables()
    for (from, to) in moving {
      try connection.execute("ALTER TABLE \(from.quoted) RENAME TO \(to.quoted)")
    }
    for (table, count) in zip(tables, counts) {
      progress.begin(count)
      try setValues(table)
      progress.endRows()
    }
    try updateReferences()
    try recalculateDerivedValues()
    progress.begin(counts.reduce(0, +))
    try indexes.makeNew()
    progress.endRows()
    try writeBookkeeping()
    progress.finish()
  }

  // MARK: Tables

  private mutating func temporaryName(of name: String) -> String {
    let temporary = "MO_MIGRATING_\(moving.count)"
    moving.append((temporary, name))
    return temporary
  }

  private mutating func migrate(_ table: TableMigration) throws {
    guard table.isInPlace, let origin = table.origin else { return try copy(table) }
    try delete(table.removed, from: origin)
    try connection.renumber(table.renumbered, column: "Z_ENT", of: origin)
    try rename(table.renamedColumns, of: origin, among: contents.columns(of: origin).map(\.name))
    for column in table.columns where column.sources.isEmpty {
      try connection.execute(
        """
        ALTER TABLE \(origin.quoted) ADD COLUMN \(column.column.name.quoted) \(column.column.type)
        """)
    }
    guard origin != table.table.name else { return }
    let temporary = temporaryName(of: table.table.name)
    try connection.execute("ALTER TABLE \(origin.quoted) RENAME TO \(temporary.quoted)")
  }

  private mutating func copy(_ table: TableMigration) throws {
    let temporary = temporaryName(of: table.table.name)
    try connection.execute(table.table.creation(as: temporary))
    guard let origin = table.origin else { return }
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values = ["Z_PK", Connection.renumbering("Z_ENT", table.renumbered), "Z_OPT"]
    for column in table.columns where !column.sources.isEmpty {
      columns.append(column.column.name.quoted)
      values.append(Self.value(of: column, table))
    }
    let statement = try connection.statement(
      """
      INSERT INTO \(temporary.quoted) (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM \(origin.quoted)
      WHERE Z_PK BETWEEN ? AND ? AND Z_ENT IN (\(table.numbers.map(\.old).sqlList))
      """)
    try forEachRange(of: origin) { keys in
      statement.bind(keys.lowerBound, at: 1)
      statement.bind(keys.upperBound, at: 2)
      try statement.run()
    }
  }

  /// An upper bound of the number of rows of a source table: its highest key.
  private func rowCount(_ table: TableMigration) throws -> Double {
    guard let origin = table.origin else { return 0 }
    return Double(max(try connection.integer("SELECT max(Z_PK) FROM \(origin.quoted)") ?? 0, 0))
  }

  /// Visits the rows of a table in ranges of keys of some ten thousand rows, and reports the
  /// progress.
  func forEachRange(of table: String, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    let count = 1 << 16
    let bound = try connection.statement(
      "SELECT Z_PK FROM \(table.quoted) WHERE Z_PK >= ? ORDER BY Z_PK LIMIT 1 OFFSET \(count - 1)")
    var first: Int64? = .min
    while let start = first {
      bound.bind(start, at: 1)
      let last = try bound.step() ? bound.integer(at: 0) : .max
      bound.reset()
      try body(start...last)
      progress.advance(count)
      first = last < .max ? last + 1 : nil
    }
  }

  /// The value of a column that may come from several columns of the source.
  private static func value(
    of column: TableMigration.ColumnMigration, _ table: TableMigration
  ) -> String {
    let sources = column.sources.sorted { $0.key < $1.key }
    if sources.count == 1, sources[0].value.count == table.numbers.count {
      return sources[0].key.quoted
    }
    let cases = sources.map { name, numbers in
      let old = table.numbers.filter { numbers.contains($0.new) }.map { "\($0.old)" }
      return "WHEN Z_ENT IN (\(old.joined(separator: ", "))) THEN \(name.quoted)"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }

  private func dropOldTables() throws {
    let kept = Set(
      tables.filter(\.isInPlace).compactMap(\.origin)
        + joins.filter(\.isInPlace).map { $0.links[0].table })
    for table in mapping.source.allTables where !kept.contains(table) {
      try connection.execute("DROP TABLE \(table.quoted)")
    }
  }

  // MARK: Links

  private mutating func migrate(_ join: JoinMigration) throws {
    guard join.isInPlace else { return try copy(join) }
    let table = join.links[0].table
    try rename(join.renamedColumns, of: table, among: contents.columns(of: table).map(\.name))
    for column in join.addedColumns {
      try connection.execute("ALTER TABLE \(table.quoted) ADD COLUMN \(column.quoted) INTEGER")
    }
    guard table != join.join.table else { return }
    let temporary = temporaryName(of: join.join.table)
    try connection.execute("ALTER TABLE \(table.quoted) RENAME TO \(temporary.quoted)")
  }

  private mutating func copy(_ join: JoinMigration) throws {
    let temporary = temporaryName(of: join.join.table)
    try connection.execute(join.join.creation(as: temporary))
    for links in join.links {
      var columns = [join.join.firstKey, join.join.secondKey]
      var values = [links.first, links.second]
      for (new, old) in [
        (join.join.firstOrder, links.firstOrder), (join.join.secondOrder, links.secondOrder),
      ] {
        guard let new, let old else { continue }
        columns.append(new)
        values.append(old)
      }
      // Both ends of a one-to-one may have the same link.
      try connection.execute(
        """
        INSERT OR IGNORE INTO \(temporary.quoted) (\(columns.map(\.quoted).joined(separator: ", ")))
        SELECT \(values.map(\.quoted).joined(separator: ", ")) FROM \(links.table.quoted)
        WHERE \(links.first.quoted) NOT NULL AND \(links.second.quoted) NOT NULL
        """)
    }
  }

  // MARK: Helpers

  /// Renames columns, possibly to names that are currently in use.
  private func rename(
    _ columns: [(old: String, new: String)], of table: String, among found: [String]
  ) throws {
    let taken = Set(found.map { $0.uppercased() })
    var pairs = columns
    if pairs.contains(where: { taken.contains($0.new.uppercased()) }) {
      for index in pairs.indices {
        let temporary = "MO_MIGRATING_\(index)"
        try rename(pairs[index].old, to: temporary, of: table)
        pairs[index].old = temporary
      }
    }
    for pair in pairs { try rename(pair.old, to: pair.new, of: table) }
  }

  private func rename(_ column: String, to name: String, of table: String) throws {
    try connection.execute(
      "ALTER TABLE \(table.quoted) RENAME COLUMN \(column.quoted) TO \(name.quoted)")
  }

  private func delete(_ numbers: [Int], from table: String) throws {
    guard !numbers.isEmpty else { return }
    try connection.execute(
      "DELETE FROM \(table.quoted) WHERE Z_ENT IN (\(numbers.sqlList))")
  }
}

extension Connection {
  /// Updates the entity numbers in a column.
  func renumber(
    _ numbers: [(old: Int, new: Int)], column: String, of table: String
  ) throws {
    guard !numbers.isEmpty else { return }
    try execute(
      """
      UPDATE \(table.quoted) SET \(column) = \(Self.renumbering(column, numbers))
      WHERE \(column) IN (\(numbers.map(\.old).sqlList))
      """)
  }

  /// The expression for the new number in a column.
  fileprivate static func renumbering(_ column: String, _ numbers: [(old: Int, new: Int)]) -> String
  {
    guard !numbers.isEmpty else { return column }
    let cases = numbers.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
    return "CASE \(column) \(cases) ELSE \(column) END"
  }
}
