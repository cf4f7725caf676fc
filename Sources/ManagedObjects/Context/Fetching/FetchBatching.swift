/// A context's state of fetches with batches and with prefetching.
final class FetchBatching {
  /// The batches of the last fetches, the latest last; few, since a fault of an older one can be
  /// fired alone.
  private(set) var batches: [FaultBatches] = []
  /// The destinations of to-ones, from the last fetch that prefetched them.
  var prefetched: [ManagedObject] = []

  func add(_ batch: FaultBatches) {
    if batches.count == 16 { batches.removeFirst() }
    batches.append(batch)
  }
}

extension ManagedObjectContext {
  /// Fetches the values of a result's faults in batches, the first batch now.
  func batch(_ objects: [ManagedObject], by size: Int) throws {
    guard !objects.isEmpty else { return }
    for object in objects where object._slots == nil { object._state.insert(.batched) }
    let batching = fetchBatching ?? FetchBatching()
    fetchBatching = batching
    batching.add(FaultBatches(objects.map(\.rowIdentity), size: size))
    var read: Set<Int> = []
    for object in objects.prefix(size) where object._slots == nil {
      if read.insert(object._entity.binding.root).inserted { _ = try fireBatch(of: object) }
    }
  }

  /// Fetches the values of a fault's whole batch from its store; false if its row is missing.
  func fireBatch(of object: ManagedObject) throws -> Bool {
    let row = object.rowIdentity
    let batch = fetchBatching?.batches.lazy.reversed().compactMap { $0.batch(with: row) }.first
    guard let batch else { return false }
    let (root, table) = (object._entity.binding.root, object._entity.table)
    let faults = batch.filter { row in
      guard binding(at: row.entity).root == root, let object = table.object(for: row.key) else {
        return false
      }
      return object._slots == nil
    }
    try readRows(faults.map(\.key), root: root) { cursor, entity in
      guard let object = entity.table.object(for: cursor.key), object._slots == nil,
        object._entity === entity
      else { return }
      fill(object, with: try cursor.makeRow(of: entity.binding))
      object._state.remove(.batched)
    }
    return object._slots != nil
  }
}

extension ManagedObject {
  /// The identity of its row.
  var rowIdentity: RowIdentity { RowIdentity(key: _key, entity: _entity.binding.index) }
}

@available(*, unavailable) extension FetchBatching: Sendable {}
@available(*, unavailable) extension FaultBatches: Sendable {}
