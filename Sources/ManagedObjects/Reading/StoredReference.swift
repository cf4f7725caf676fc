/// Which row a relationship leads to, or a row is: by its own entity and its primary key.
package struct StoredReference: Sendable, Hashable {
  /// The name of the row's entity; of the relationship's destination where there is no such row.
  package let entityName: String
  /// The primary key.
  package let primaryKey: Int64

  /// The row of an entity with a primary key.
  package init(entityName: String, primaryKey: Int64) {
    (self.entityName, self.primaryKey) = (entityName, primaryKey)
  }
}
