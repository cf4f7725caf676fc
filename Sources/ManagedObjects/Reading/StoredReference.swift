/// The identity of a row: its entity and its primary key.
package struct StoredReference: Sendable, Hashable {
  /// The name of the row's entity; of the relationship's destination if the row is missing.
  package let entityName: String
  /// The primary key.
  package let primaryKey: Int64

  /// Creates the reference to a row.
  package init(entityName: String, primaryKey: Int64) {
    (self.entityName, self.primaryKey) = (entityName, primaryKey)
  }
}
