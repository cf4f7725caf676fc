import DataModel
import SystemLibraries

extension ManagedObjectModel {
  /// Checks that every derived attribute can be computed.
  ///
  /// - Throws: `PersistentStoreError.unsupportedModel` if one cannot.
  func checkDerivations() throws {
    if let problem = derivationProblem { throw PersistentStoreError.unsupportedModel(problem) }
  }
}

/// Whether a store belongs to a model.
extension SQLiteStore {
  /// Whether a store belongs to a model, by its version hashes and by the columns of derived
  /// attributes, whose names and types the hashes do not cover.
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

  /// Whether all tables have the columns that a schema names.
  ///
  /// Needed only for stores of another model; for all others the hashes guarantee it.
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

  /// Whether derived attributes have their columns, with the attributes' types.
  static func hasDerivedColumns(of schema: SQLSchema, _ contents: StoreContents) throws -> Bool {
    for (table, wanted) in schema.derivedColumns {
      guard try contents.columns(of: table).contains(wanted) else { return false }
    }
    return true
  }
}
