extension ManagedObjectContext {
  /// Fetches as `fetch(_:)` does, without blocking the isolation of this context.
  ///
  ///     let walks = try await context.fetchAsynchronously(Walk.fetchRequest())
  ///
  /// The rows are read on another thread; the objects are made here once they have been read.
  /// Changes made in the meantime are taken into account, as in a fetch that begins now: if the
  /// store was written, the rows are read again, at most three times on the other thread. Unsaved
  /// changes and comparators are handled here. Cancelling the task ends the reading. Follows Core
  /// Data's `NSAsynchronousFetchRequest`.
  ///
  /// - Throws: As `fetch(_:)` does; `CancellationError` if the task was cancelled.
  public func fetchAsynchronously<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) async throws -> [Result] {
    for _ in 0..<3 {
      try pullChanges()
      guard let plan = try planToRead(elsewhere: request) else { break }
      let rows = try await ReadRows.read(SentPlan(plan: plan), from: persistentStoreCoordinator)
      guard !needsMemory(plan, pending: request.includesPendingChanges) else { break }
      // A store that cannot detect writes by other connections is read again, here.
      guard let state = rows.state else { break }
      guard try state == persistentStoreCoordinator.state(of: plan.entity) else { continue }
      var found: [ManagedObject] = []
      found.reserveCapacity(rows.rows.count)
      var order = KeyOrder()
      while let (key, index, row) = rows.takeFirst() {
        found.append(object(key, of: contextEntity(at: index), taking: row))
        order.add(key)
      }
      if order.isBroken, mustOrderKeys(of: plan) { found.sort { $0._key < $1._key } }
      sendAwakeFromFetch()
      try prefetch(for: request, of: found)
      // As in `fetch(_:)`.
      return unsafeBitCast(found, to: [Result].self)
    }
    return try fetch(request)
  }

  /// The plan of a request whose rows may be read on another thread; nil if this context has to.
  private func planToRead<Result>(elsewhere request: FetchRequest<Result>) throws -> FetchPlan? {
    let plans = try plans(request)
    guard plans.count == 1, let plan = plans.first, parent == nil, request.fetchBatchSize == 0,
      request.includesPropertyValues, !request.returnsObjectsAsFaults,
      !request.shouldRefreshRefetchedObjects,
      !needsMemory(plan, pending: request.includesPendingChanges)
    else { return nil }
    return plan
  }
}

/// A plan sent to another thread: everything in it is a value that never changes.
private struct SentPlan: @unchecked Sendable {
  let plan: FetchPlan
}

/// Rows passed between threads; only one thread has them at a time.
private final class ReadRows: @unchecked Sendable {
  private(set) var rows: [(key: Int64, entity: EntityBinding, row: PackedRow)] = []
  /// The state of the store that the rows were read from.
  private(set) var state: UInt32?
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
    (_, read.state) = try coordinator.readWithState(sent.plan) { cursor in
      while try cursor.next() {
        if read.rows.count % 1_024 == 0 { try Task.checkCancellation() }
        let binding = bindings[cursor.entity]
        read.rows.append((cursor.key, binding, try cursor.makeRow(of: binding)))
      }
    }
    return read
  }
}
