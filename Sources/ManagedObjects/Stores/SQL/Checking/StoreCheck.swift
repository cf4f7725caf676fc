import DataModel

/// A store that is looked through: its metadata, its tables and its rows, by the same SQL whichever
/// engine keeps them.
///
/// Every statement gives one number, however many rows a table has; see `checkRows(_:)`.
protocol StoreCheck {
  var database: any SQLDatabase { get }
  var model: ManagedObjectModel { get }
  var metadata: [String: PropertyList] { get }
  var schema: SQLSchema { get }
  var bindings: [EntityBinding] { get }
  var joins: [JoinBinding] { get }
  var faults: [StoreFault] { get set }
}

extension StoreCheck {
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

  /// The first column of all rows.
  func integers(_ sql: String) throws -> [Int64] {
    let statement = try database.prepared(sql)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(at: 0)) }
    return numbers
  }

  /// The first column of all rows, as text.
  func texts(_ sql: String) throws -> [String] {
    let statement = try database.prepared(sql)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(at: 0) ?? "") }
    return texts
  }

  func binding(_ index: Int) -> EntityBinding { bindings[index - schema.offset] }

  func table(_ entity: EntityBinding) -> String {
    schema.tableNames[entity.index - schema.offset]
  }

  /// The column of a slot, by its plain name.
  func columnName(_ slot: Int, of entity: EntityBinding) -> String {
    schema.columnNames[entity.index - schema.offset][slot]
  }

  /// The slots that are an entity's own, not its superentity's.
  func ownSlots(_ entity: EntityBinding) -> Range<Int> {
    schema.inheritedSlots(entity)..<entity.storedSlotCount
  }

  /// The to-ones of all entities, each once.
  var ownToOnes: [(entity: EntityBinding, toOne: EntityBinding.ToOne)] {
    bindings.flatMap { entity in
      let own = ownSlots(entity)
      return entity.toOnes.filter { own.contains($0.slot) }.map { (entity, $0) }
    }
  }

  // MARK: Metadata

  /// Looks the property list through.
  ///
  /// - Parameter others: what an engine wants of it besides.
  mutating func checkMetadata(
    of type: PersistentStore.StoreType, _ others: [(key: String, value: PropertyList)] = []
  ) {
    let wanted: [(key: String, value: PropertyList)] =
      [
        ("NSStoreType", .string(type.rawValue)),
        ("NSStoreModelVersionHashesVersion", .integer(3)),
      ] + others
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

  /// Looks for the tables and columns that the model wants, and for columns that it does not; false
  /// where a table or a column is missing.
  ///
  /// - Parameters:
  ///   - bookkeeping: the engine's own tables; of those without columns only that they are there.
  ///   - columns: the names of a table's columns, as the schema spells them; nil where it is not
  ///     there.
  ///   - leftBehind: those of a table that a migration has left.
  mutating func checkNames(
    _ bookkeeping: [SQLSchema.Table], _ columns: (_ table: String) throws -> Set<String>?,
    leftBehind: (_ table: String) -> [String] = { _ in [] }
  ) throws -> Bool {
    let wanted =
      (bookkeeping + schema.tables).map { (table: $0.name, columns: $0.columns.map(\.name)) }
      + schema.joins.map { (table: $0.table, columns: $0.keys + $0.orders) }
    var isUsable = true
    for (table, wanted) in wanted {
      guard let found = try columns(table) else {
        report(.missingTable, "the table \(table) is missing")
        isUsable = false
        continue
      }
      for column in wanted where !found.contains(column) {
        report(.missingTable, "\(table): the column \(column) is missing")
        isUsable = false
      }
      guard schema.tables.contains(where: { $0.name == table }) else { continue }
      for column in found.subtracting(wanted).subtracting(leftBehind(table)).sorted() {
        report(.schema, "\(table): the column \(column) is not the model's")
      }
    }
    return isUsable
  }
}
