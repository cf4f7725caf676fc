extension ManagedObjectContext {
  /// Fetches as `fetch(_:)` does, while the isolation of this context goes on with other work.
  ///
  ///     let walks = try await context.fetchAsynchronously(Walk.fetchRequest())
  ///
  /// The rows are read on another thread; the objects are made here when they are there. Unsaved
  /// changes and comparators are seen to here. Cancelling the task ends the reading. Follows Core
  /// Data's `NSAsynchronousFetchRequest`.
  ///
  /// - Throws: As `fetch(_:)` does; `CancellationError` where the task was cancelled.
  public func fetchAsynchronously<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) async throws -> [Result] {
    try pullChanges()
    let plans = try plans(request)
    guard plans.count == 1, let plan = plans.first, parent == nil, request.fetchBatchSize == 0,
      request.includesPropertyValues, !request.returnsObjectsAsFaults,
      !needsMemory(plan, pending: request.includesPendingChanges)
    else { return try fetch(request) }
    let rows = try await ReadRows.read(SentPlan(plan: plan), from: persistentStoreCoordinator)
    // What happened meanwhile counts, as it would in a fetch that begins now.
    if needsMemory(plan, pending: request.includesPendingChanges) { return try fetch(request) }
    var found: [ManagedObject] = []
    found.reserveCapacity(rows.rows.count)
    while let (key, place, row) = rows.takeFirst() {
      let entity = contextEntity(at: place)
      found.append(object(key, of: entity, taking: row))
    }
    sendAwakeFromFetch()
    try prefetch(for: request, of: found)
    // As in `fetch(_:)`.
    return unsafeBitCast(found, to: [Result].self)
  }
}

/// A plan on its way to another thread: everything in it is a value that never changes.
private struct SentPlan: @unchecked Sendable {
  let plan: FetchPlan
}

/// Rows on their way between threads; only one has them at a time.
private final class ReadRows: @unchecked Sendable {
  private(set) var rows: [(key: Int64, entity: EntityBinding, row: PackedRow)] = []
  private var next = 0

  deinit {
    for (_, entity, row) in rows[next...] { row.free(slotCount: entity.slotCount) }
  }

  func takeFirst() -> (Int64, Int, PackedRow)? {
    guard next < rows.count else { return nil }
    next += 1
    return (rows[next - 1].key, rows[next - 1].entity.index, rows[next - 1].row)
  }

  @concurrent
  static func read(
    _ sent: SentPlan, from coordinator: PersistentStoreCoordinator
  ) async throws -> ReadRows {
    let read = ReadRows()
    let bindings = coordinator.bindings
    try coordinator.read(sent.plan) { cursor in
      while try cursor.next() {
        if read.rows.count % 1_024 == 0 { try Task.checkCancellation() }
        let binding = bindings[cursor.entity]
        read.rows.append((cursor.key, binding, try cursor.makeRow(of: binding)))
      }
    }
    return read
  }
}
