import DataModel
import SystemLibraries

/// A complete check of a SQLite store: its file, its schema, its bookkeeping, its rows, and its
/// external files.
struct SQLiteCheck: StoreCheck {
  private let connection: Connection
  private let contents: StoreContents
  private let files: ExternalDataFiles
  let model: ManagedObjectModel
  let metadata: [String: PropertyList]
  let schema: SQLSchema
  let bindings: [EntityBinding]
  let joins: [JoinBinding]
  var problems: [StoreProblem] = []
  var database: any SQLDatabase { connection }

  /// Prepares to check a store of a model.
  ///
  /// - Throws: `SQLiteError`; `PersistentStoreError` if it is not a store of the model.
  init(_ connection: Connection, model: ManagedObjectModel, at url: URL) throws {
    self.connection = connection
    self.model = model
    let stored = try SQLiteStore.readMetadata(connection, at: url)
    metadata = stored.plist
    if let mismatch = StoredMetadata.mismatch(of: metadata, with: model, at: url) { throw mismatch }
    contents = try StoreContents(connection)
    let hasNumbers = contents.tables.contains("Z_PRIMARYKEY")
    let bound = ModelBinding(
      model, store: PersistentStoreIdentity(identifier: stored.uuid),
      numbers: hasNumbers ? try SQLiteStore.entityNumbers(connection) : [:])
    (bindings, joins) = (bound.entities, bound.joins)
    schema = try SQLSchema(bound, of: contents)
    files = ExternalDataFiles(of: url)
  }

  /// Runs all checks.
  ///
  /// - Throws: `SQLiteError` if the disk cannot be read, which is not a problem of the store.
  mutating func run() throws {
    try connection.readFile { _ in }
    do {
      for fault in try connection.problems() { report(.damagedFile, fault) }
      try checkMetadata()
      if try checkSchema() {
        try checkRows(uniquenessConditions)
        try checkStorageClasses()
        try checkUndoLog()
        try checkIndexes()
        try checkFiles()
      }
    } catch let error as SQLiteError where error.isCorrupt {
      if problems.isEmpty { report(.damagedFile, error.message) }
    }
  }

  // MARK: Bookkeeping

  private mutating func checkMetadata() throws {
    if try connection.integer("PRAGMA page_size") != 4096
      || connection.integer("PRAGMA auto_vacuum") != 2
    {
      report(.bookkeeping, "pages are not of 4096 bytes, or auto_vacuum is not incremental")
    }
    checkMetadata(of: .sqlite, [(StoredMetadata.vacuumKey, .string("2"))])
  }

  // MARK: Schema

  /// Checks the schema against the model; returns false if a table or column is missing.
  private mutating func checkSchema() throws -> Bool {
    for table in schema.tables where contents.tables.contains(table.name) {
      let found = try contents.columns(of: table.name)
      for column in table.columns {
        guard let other = found.first(where: { $0.name == column.name }),
          other.type.uppercased() != column.type.uppercased(), column.name != "Z_PK"
        else { continue }
        report(
          .schema,
          "\(table.name): the column \(column.name) is declared \(other.type), not \(column.type)")
      }
      if found.contains(where: { $0.name == "Z_PK" }),
        try !contents.hasRowKey("Z_PK", in: table.name)
      {
        report(.schema, "\(table.name): the column Z_PK is not the table's INTEGER PRIMARY KEY")
      }
    }
    let contents = contents
    let deferred = DeferredColumns(metadata[StoredMetadata.deferredKey])
    return try checkNames([SQLSchema.Table(name: "Z_PRIMARYKEY", columns: [])]) { table in
      guard contents.tables.contains(table) else { return nil }
      return try Set(contents.columns(of: table).map(\.name))
    } leftBehind: { table in
      deferred[table] ?? []
    }
  }

  private mutating func checkIndexes() throws {
    let indexes = Set(try texts("SELECT name FROM sqlite_schema WHERE type = 'index'"))
    for (entity, toOne) in ownToOnes {
      let name = "\(table(entity))_\(columnName(toOne.slot, of: entity))_INDEX"
      if !indexes.contains(name) {
        report(.schema, "\(table(entity)): the index \(name) is missing")
      }
    }
  }

  // MARK: Values

  /// Checks that numbers and texts are stored as such.
  ///
  /// Each table is scanned once; its columns one by one only if something is found.
  private mutating func checkStorageClasses() throws {
    let conditions = bindings.flatMap { storageConditions(of: $0) }
    for (table, conditions) in Dictionary(grouping: conditions, by: \.table) {
      let any = conditions.map(\.condition).joined(separator: " OR ")
      let hasSome = try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM \(table.quoted) AS t WHERE \(any))")
      if hasSome == 1 { try check(conditions) }
    }
  }

  /// The conditions for values of an entity's own attributes that cannot be read.
  private func storageConditions(of entity: EntityBinding) -> [RowCondition] {
    ownSlots(entity).compactMap { slot in
      guard case .attribute(let attribute) = entity.slots[slot] else { return nil }
      let column = columnName(slot, of: entity)
      let condition: String
      switch entity.kinds[slot] {
      case .integer, .real: condition = "typeof(t.\(column.quoted)) IN ('text', 'blob')"
      case .text: condition = "typeof(t.\(column.quoted)) = 'blob'"
      case .blob, .external, .key, .entityNumber, .orderKey: return nil
      }
      return RowCondition(
        kind: .unreadableValue, table: table(entity), condition: condition,
        description: "whose \(column) is not of the attribute's type", entity: entity,
        property: attribute.name)
    }
  }

  // MARK: Files

  /// Checks that the files that columns refer to exist.
  private mutating func checkFiles() throws {
    for entity in bindings {
      let own = ownSlots(entity)
      for slot in entity.externalSlots where own.contains(slot) { try checkFiles(slot, of: entity) }
    }
  }

  private mutating func checkFiles(_ slot: Int, of entity: EntityBinding) throws {
    var missing: [Int64] = []
    let column = columnName(slot, of: entity)
    try forEachBlob(column.quoted, of: table(entity)) { key, stored in
      guard let name = ExternalDataFiles.fileName(in: stored), !files.has(name) else { return }
      missing.append(key)
    }
    guard !missing.isEmpty, case .attribute(let attribute) = entity.slots[slot] else { return }
    report(
      .missingExternalData,
      "\(table(entity)): \(missing.count) \(missing.count == 1 ? "value" : "values") of \(column) whose file is missing",
      entity, attribute.name, keys: missing)
  }

  /// Passes the bytes of a column in all rows to a body, with the rows' keys.
  private func forEachBlob(
    _ column: String, of table: String, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let statement = try connection.statement(
      "SELECT Z_PK, \(column) FROM \(table.quoted) WHERE \(column) IS NOT NULL")
    defer { statement.reset() }
    while try statement.step() {
      if let blob = statement.blob(at: 1) { try body(statement.integer(at: 0), blob) }
    }
  }
}
