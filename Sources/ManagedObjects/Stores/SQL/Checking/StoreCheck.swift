import DataModel

/// A check of a store: its metadata, tables and rows, with the same SQL for every engine.
///
/// Each statement returns one number, however many rows a table has; see `checkRows(_:)`.
protocol StoreCheck {
  var database: any SQLDatabase { get }
  var model: ManagedObjectModel { get }
  var metadata: [String: PropertyList] { get }
  var schema: SQLSchema { get }
  var bindings: [EntityBinding] { get }
  var joins: [JoinBinding] { get }
  var problems: [StoreProblem] { get set }
}

extension StoreCheck {
  // MARK: Helpers

  mutating func report(
    _ kind: StoreProblem.Kind, _ description: String, _ entity: EntityBinding? = nil,
    _ property: String? = nil, keys: [Int64] = []
  ) {
    problems.append(
      StoreProblem(
        kind, description, entityName: entity?.name, propertyName: property,
        primaryKeys: Array(keys.prefix(StoreProblem.maximumKeyCount))))
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

  /// The unquoted column of a slot.
  func columnName(_ slot: Int, of entity: EntityBinding) -> String {
    schema.columnNames[entity.index - schema.offset][slot]
  }

  /// The slots that an entity declares itself.
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

  /// Checks the property list.
  ///
  /// - Parameter others: additional entries that the engine requires.
  mutating func checkMetadata(
    of type: PersistentStore.StoreType, _ others: [(key: String, value: PropertyList)] = []
  ) {
    let wanted: [(key: String, value: PropertyList)] =
      [
        ("NSStoreType", .string(type.rawValue)),
        ("NSStoreModelVersionHashesVersion", .integer(3)),
      ] + others
    for (key, value) in wanted where metadata[key] != value {
      report(.bookkeeping, "the metadata's \(key) is missing or wrong")
    }
    for key in ["NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers"]
    where metadata[key] == nil {
      report(.bookkeeping, "the metadata's \(key) is missing")
    }
    let digest = "NSStoreModelVersionHashesDigest"
    if let stored = metadata[digest], stored != .string(model.versionHashesDigest) {
      report(.bookkeeping, "the metadata's \(digest) is wrong")
    }
  }

  // MARK: Schema

  /// Checks for the tables and columns that the model requires, and for surplus columns; returns
  /// false if a table or column is missing.
  ///
  /// - Parameters:
  ///   - bookkeeping: the engine's own tables; those without columns only have to exist.
  ///   - columns: returns the names of a table's columns, spelled as in the schema; nil if it
  ///     does not exist.
  ///   - leftBehind: returns the columns that a deferred migration left in a table.
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
        report(.schema, "\(table): the column \(column) does not match the model")
      }
    }
    return isUsable
  }
}
