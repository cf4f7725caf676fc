/// The entities in the changes of a history, by number.
struct HistoryEntities {
  private let bindings: [Int: EntityBinding]
  private var columns: [Int: HistoryColumns] = [:]

  init(_ bindings: [EntityBinding]) {
    // In a damaged store two entities may have the same number.
    self.bindings = Dictionary(bindings.map { ($0.number, $0) }) { first, _ in first }
  }

  /// The public form of a change; nil if its entity is not in the model.
  mutating func change(
    _ change: HistoryReader.Change, _ reader: HistoryReader
  ) -> PersistentHistoryChange? {
    guard let entity = bindings[change.entity] else { return nil }
    let columns = columns[change.entity] ?? HistoryColumns(entity)
    self.columns[change.entity] = columns
    return PersistentHistoryChange(
      changeID: change.id, changedObjectID: ManagedObjectID(binding: entity, key: change.key),
      changeType: change.type,
      updatedProperties: reader.updatedProperties(of: change, columns),
      tombstone: reader.tombstone(of: change, columns, entity),
      transactionNumber: change.transaction)
  }
}

@available(*, unavailable) extension HistoryEntities: Sendable {}
