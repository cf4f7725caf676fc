/// What a context keeps of fetches by the batch and with prefetching.
final class FetchBatching {
  /// The batches of the last fetches, the latest last; few, since a fault of an older one can be
  /// fired alone.
  private(set) var batches: [FaultBatches] = []
  /// The objects that to-ones lead to, of the last fetch that prefetched them.
  var prefetched: [ManagedObject] = []

  func add(_ batch: FaultBatches) {
    if batches.count == 16 { batches.removeFirst() }
    batches.append(batch)
  }
}

/// The keys of a result whose rows come by the batch; 8 bytes an object.
final class FaultBatches {
  /// The index of the root entity.
  let root: Int
  private let keys: [Int64]
  private let size: Int
  /// Where the last key was found: the next one is mostly near.
  private var last = 0

  init(root: Int, keys: [Int64], size: Int) {
    self.root = root
    self.keys = keys
    self.size = size
  }

  /// The keys of the batch that has a key; nil where none has it.
  ///
  /// O(1) for one key after the other, O(n) for any other.
  func batch(with key: Int64) -> ArraySlice<Int64>? {
    let index = keys[last...].firstIndex(of: key) ?? keys[..<last].firstIndex(of: key)
    guard let index else { return nil }
    last = index
    let start = index / size * size
    return keys[start..<min(start + size, keys.count)]
  }
}

extension ManagedObjectContext {
  /// Has the values of a result's faults come by the batch, the first of them now.
  func batch(_ objects: [ManagedObject], by size: Int) throws {
    guard let first = objects.first else { return }
    for object in objects where object._slots == nil { object._state.insert(.batched) }
    let batching = fetchBatching ?? FetchBatching()
    fetchBatching = batching
    batching.add(
      FaultBatches(root: first._entity.binding.root, keys: objects.map(\._key), size: size))
    if first._slots == nil { _ = try fireBatch(of: first) }
  }

  /// Fetches the values of a fault's whole batch; false where it has none any more.
  func fireBatch(of object: ManagedObject) throws -> Bool {
    let root = object._entity.binding.root
    let batch = fetchBatching?.batches.lazy.reversed()
      .filter { $0.root == root }.compactMap { $0.batch(with: object._key) }.first
    guard let batch else { return false }
    let table = object._entity.table
    let keys = batch.filter { table.object(for: $0)?._slots == nil }
    try readRows(keys.filter { table.object(for: $0) != nil }, root: root) { cursor, entity in
      guard let object = entity.table.object(for: cursor.key), object._slots == nil,
        object._entity === entity
      else { return }
      fill(object, with: try cursor.makeRow(of: entity.binding))
      object._state.remove(.batched)
    }
    return object._slots != nil
  }
}

@available(*, unavailable) extension FetchBatching: Sendable {}
@available(*, unavailable) extension FaultBatches: Sendable {}
