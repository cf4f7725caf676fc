import DataModel
import SystemLibraries

extension ManagedObjectModel {
  /// Makes sure that every derived attribute can be derived.
  ///
  /// - Throws: `PersistentStoreError.unsupportedModel` where one cannot.
  func checkDerivations() throws {
    if let problem = derivationProblem { throw PersistentStoreError.unsupportedModel(problem) }
  }
}

/// Whether a store and a model belong together.
extension SQLiteStore {
  /// Whether a store is of a model: by its version hashes, and by the columns of its derived
  /// attributes, of which the hashes say neither name nor type.
  static func isStore(
    _ connection: Connection, _ found: StoredMetadata, of model: ManagedObjectModel, at url: URL
  ) throws -> Bool {
    guard StoredMetadata.mismatch(of: found.plist, with: model, at: url) == nil else {
      return false
    }
    let bound = ModelBinding(
      model, store: PersistentStoreIdentity(identifier: found.uuid),
      numbers: try entityNumbers(connection))
    let contents = try StoreContents(connection)
    return try hasDerivedColumns(of: SQLSchema(bound, of: contents), contents)
  }

  /// Whether every column is there that a schema names.
  ///
  /// Asked only of stores of another model; the hashes say it of all others.
  static func hasEveryColumn(of schema: SQLSchema, _ contents: StoreContents) throws -> Bool {
    let joins = schema.joins.map { join in
      let orders = [join.firstOrder, join.secondOrder].compactMap(\.self)
      return (table: join.table, columns: join.keys + orders)
    }
    let tables = schema.tables.map { (table: $0.name, columns: $0.columns.map(\.name)) }
    for (table, wanted) in tables + joins {
      guard try Set(contents.columns(of: table).map(\.name)).isSuperset(of: wanted) else {
        return false
      }
    }
    return true
  }

  /// Whether the columns of derived attributes are there, each of its attribute's type.
  static func hasDerivedColumns(of schema: SQLSchema, _ contents: StoreContents) throws -> Bool {
    for (table, wanted) in schema.derivedColumns {
      guard try contents.columns(of: table).contains(wanted) else { return false }
    }
    return true
  }
}
