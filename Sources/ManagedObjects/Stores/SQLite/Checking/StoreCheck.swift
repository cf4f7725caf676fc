import DataModel
import SystemLibraries

/// A store looked through from front to back: its file, its schema, its bookkeeping and its rows.
struct StoreCheck {
  private let connection: Connection
  private let model: ManagedObjectModel
  private let metadata: [String: PropertyList]
  private let contents: StoreContents
  let schema: SQLSchema
  let bindings: [EntityBinding]
  let joins: [JoinBinding]
  let files: ExternalDataFiles
  private(set) var faults: [StoreFault] = []

  /// Prepares to look a store of a model through.
  ///
  /// - Throws: `SQLiteError`, `PersistentStoreError` where it is none.
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

  /// Looks everything through.
  ///
  /// - Throws: `SQLiteError` where the disk cannot be read, which is no damage of the store's.
  mutating func run() throws {
    try connection.readFile { _ in }
    do {
      for fault in try connection.faults() { report(.damagedFile, fault) }
      try checkMetadata()
      let isUsable = try checkSchema()
      if isUsable { try checkRows() }
    } catch let error as SQLiteError where error.isCorrupt {
      if faults.isEmpty { report(.damagedFile, error.message) }
    }
  }

  // MARK: Means

  mutating func report(
    _ kind: StoreFault.Kind, _ description: String, _ entity: EntityBinding? = nil,
    _ property: String? = nil, keys: [Int64] = []
  ) {
    faults.append(
      StoreFault(
        kind, description, entityName: entity?.name, propertyName: property,
        primaryKeys: Array(keys.prefix(StoreFault.mostKeys))))
  }

  /// Reports the rows that a condition finds, if any: how many, and the first keys.
  mutating func report(
    _ kind: StoreFault.Kind, rowsOf table: String, where condition: String, _ description: String,
    _ entity: EntityBinding? = nil, _ property: String? = nil
  ) throws {
    let start = "FROM \(table.quoted) AS t WHERE \(condition)"
    guard let count = try connection.integer("SELECT count(*) \(start)"), count > 0 else { return }
    let keys = try integers(
      "SELECT t.Z_PK \(start) ORDER BY t.Z_PK LIMIT \(StoreFault.mostKeys)")
    let list = keys.map { "\($0)" }.joined(separator: ", ")
    let more = count > keys.count ? ", …" : ""
    report(
      kind,
      "\(table): \(count) \(count == 1 ? "row" : "rows") \(description) (Z_PK \(list)\(more))",
      entity, property, keys: keys)
  }

  /// The first column of all rows.
  func integers(_ sql: String) throws -> [Int64] {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(at: 0)) }
    return numbers
  }

  /// The first column of all rows, as text.
  func texts(_ sql: String) throws -> [String] {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(at: 0) ?? "") }
    return texts
  }

  func integer(_ sql: String) throws -> Int64? { try connection.integer(sql) }

  /// Hands over the bytes of a column of all rows, with their keys.
  func forEachBlob(
    _ column: String, of table: String, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let statement = try connection.statement(
      "SELECT Z_PK, \(column.quoted) FROM \(table.quoted) WHERE \(column.quoted) IS NOT NULL")
    defer { statement.reset() }
    while try statement.step() {
      if let blob = statement.blob(at: 1) { try body(statement.integer(at: 0), blob) }
    }
  }

  // MARK: Bookkeeping

  private mutating func checkMetadata() throws {
    if try integer("PRAGMA page_size") != 4096 || integer("PRAGMA auto_vacuum") != 2 {
      report(.bookkeeping, "pages are not of 4096 bytes, or auto_vacuum is not incremental")
    }
    let wanted: [(key: String, value: PropertyList)] = [
      ("NSStoreType", .string(PersistentStore.StoreType.sqlite.rawValue)),
      ("NSStoreModelVersionHashesVersion", .integer(3)), ("_NSAutoVacuumLevel", .string("2")),
    ]
    for (key, value) in wanted where metadata[key] != value {
      report(.bookkeeping, "the metadata's \(key) is missing or another")
    }
    for key in ["NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers"]
    where metadata[key] == nil {
      report(.bookkeeping, "the metadata's \(key) is missing")
    }
    let digest = "NSStoreModelVersionHashesDigest"
    if let stored = metadata[digest], stored != .string(model.versionHashesDigest) {
      report(.bookkeeping, "the metadata's \(digest) is another")
    }
  }

  // MARK: Schema

  /// Looks for what the model wants; false where a table or a column is missing.
  private mutating func checkSchema() throws -> Bool {
    var isUsable = true
    for table in ["Z_PRIMARYKEY"] + schema.allTables where !contents.tables.contains(table) {
      report(.missingTable, "the table \(table) is missing")
      isUsable = false
    }
    for table in schema.tables where contents.tables.contains(table.name) {
      let columns = try contents.columns(of: table.name)
      let found = Set(columns.map(\.name))
      let wanted = table.columns.map(\.name)
      for column in table.columns {
        guard let other = columns.first(where: { $0.name == column.name }),
          other.type.uppercased() != column.type.uppercased(), column.name != "Z_PK"
        else { continue }
        report(
          .schema,
          "\(table.name): the column \(column.name) is declared \(other.type), not \(column.type)")
      }
      if found.contains("Z_PK"), try !contents.hasRowKey("Z_PK", in: table.name) {
        report(.schema, "\(table.name): the column Z_PK is not the table's INTEGER PRIMARY KEY")
      }
      for column in wanted where !found.contains(column) {
        report(.missingTable, "\(table.name): the column \(column) is missing")
        isUsable = false
      }
      let deferred = DeferredColumns(metadata[StoredMetadata.deferredKey])[table.name] ?? []
      for column in found.subtracting(wanted).subtracting(deferred).sorted() {
        report(.schema, "\(table.name): the column \(column) is not the model's")
      }
    }
    for join in schema.joins where contents.tables.contains(join.table) {
      let found = try contents.columns(of: join.table).map(\.name)
      let wanted = join.keys + [join.firstOrder, join.secondOrder].compactMap(\.self)
      for column in wanted where !found.contains(column) {
        report(.missingTable, "\(join.table): the column \(column) is missing")
        isUsable = false
      }
    }
    return isUsable
  }
}
