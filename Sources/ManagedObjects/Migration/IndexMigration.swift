/// The indexes of a store that is migrated: those to keep, to drop and to create.
///
/// An index is kept if its table stays and its definition is unchanged, so that migrating a store
/// takes no more time than the changes require. An index in the source's model that the store lacks
/// is not created.
struct IndexMigration {
  private struct Found {
    let name: String
    let table: String
    let statement: String
  }

  private let connection: Connection
  private let mapping: BoundMapping
  /// The table migrations whose tables keep their rows and their name.
  private let staying: [String: TableMigration]
  private let stayingJoins: Set<String>
  private let wanted: [SQLSchema.Index]
  /// Indexes in the source's model that the store does not have.
  private let neverMade: Set<String>
  private let found: [Found]

  init(_ migration: StoreMigration) throws {
    connection = migration.connection
    mapping = migration.mapping
    staying = Dictionary(
      migration.tables.filter { $0.isInPlace && $0.origin == $0.table.name }
        .map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
    stayingJoins = Set(
      migration.joins.filter {
        $0.isInPlace && $0.links[0].table == $0.join.table && $0.renamedColumns.isEmpty
      }.map(\.join.table))
    wanted = Self.indexes(of: mapping.destination)
    let found = try Self.indexes(in: connection)
    self.found = found
    let statements = Set(found.map { Self.normalized($0.statement) })
    neverMade = Set(
      Self.indexes(of: mapping.source).map { Self.normalized($0.statement) }
        .filter { !statements.contains($0) })
  }

  /// Drops indexes that no longer match the model, or that prevent the changes to come.
  func dropOld() throws {
    let known = Set((Self.indexes(of: mapping.source) + wanted).map { $0.name.uppercased() })
    for index in found where known.contains(index.name.uppercased()) && !stays(index) {
      try connection.execute("DROP INDEX \(index.name.quoted)")
    }
  }

  private func stays(_ index: Found) -> Bool {
    guard let new = wanted.first(where: { $0.name.uppercased() == index.name.uppercased() }),
      Self.normalized(new.statement) == Self.normalized(index.statement)
    else { return false }
    if stayingJoins.contains(new.table) { return true }
    guard let table = staying[new.table] else { return false }
    // Rows with different old values may have equal new ones.
    if new.isUnique, table.changesValues || !table.renumbered.isEmpty { return false }
    return !table.renamedColumns.contains { old, name in
      new.parts.contains { $0.contains(old.quoted) || $0.contains(name.quoted) }
    }
  }

  /// Creates the missing indexes.
  ///
  /// - Throws: `MigrationError.duplicateValues` if a unique one cannot be created.
  func makeNew() throws {
    let there = Set(try Self.indexes(in: connection).map { $0.name.uppercased() })
    for index in wanted where !there.contains(index.name.uppercased()) {
      let isStaying = staying[index.table] != nil || stayingJoins.contains(index.table)
      if isStaying, neverMade.contains(Self.normalized(index.statement)) { continue }
      do {
        try connection.execute(index.statement)
      } catch {
        guard error.isUniqueViolation else { throw error }
        throw try duplicates(for: index) ?? error
      }
    }
  }

  /// The rows because of which a unique index cannot be created.
  private func duplicates(for index: SQLSchema.Index) throws -> (any Error)? {
    for binding in mapping.destination.bindings {
      for unique in binding.uniqueness where mapping.table(of: binding) == index.table {
        let columns = unique.slots.map { mapping.column($0, of: binding).quoted }
        guard index.name.hasSuffix("_UNIQUE_\(unique.properties.joined(separator: "_"))"),
          columns.count == index.parts.count
        else { continue }
        let same = columns.map { "o.\($0) = t.\($0)" }.joined(separator: " AND ")
        let statement = try connection.statement(
          """
          SELECT Z_PK FROM \(index.table.quoted) AS t WHERE EXISTS (
          SELECT 1 FROM \(index.table.quoted) AS o WHERE o.Z_PK <> t.Z_PK AND \(same))
          ORDER BY \(columns.joined(separator: ", ")), Z_PK LIMIT 20
          """)
        defer { statement.reset() }
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(at: 0)) }
        return MigrationError.duplicateValues(
          entity: binding.name, properties: unique.properties, primaryKeys: keys)
      }
    }
    return nil
  }

  private static func indexes(of schema: SQLSchema) -> [SQLSchema.Index] {
    schema.indexes + schema.joins.map(\.index)
  }

  private static func indexes(in connection: Connection) throws -> [Found] {
    let statement = try connection.statement(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
    defer { statement.reset() }
    var found: [Found] = []
    while try statement.step() {
      found.append(
        Found(
          name: statement.string(at: 0) ?? "", table: statement.string(at: 1) ?? "",
          statement: statement.string(at: 2) ?? ""))
    }
    return found
  }

  /// A statement without insignificant characters.
  private static func normalized(_ statement: String) -> String {
    String(statement.filter { $0 != "\"" && !$0.isWhitespace }).uppercased()
  }
}
