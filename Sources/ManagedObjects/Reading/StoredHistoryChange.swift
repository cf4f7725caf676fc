/// A change in the history of a store that is being read.
package struct StoredHistoryChange: Sendable, Hashable {
  /// Whether the row was inserted, updated or deleted.
  package let type: PersistentHistoryChangeType
  /// The changed row.
  package let reference: StoredReference
  /// The properties that an update changed, sorted; empty without a model.
  package let updatedProperties: [String]
  /// The values kept of a deleted row, by attribute name; empty without a model.
  package let tombstone: [String: AttributeValue]
}
