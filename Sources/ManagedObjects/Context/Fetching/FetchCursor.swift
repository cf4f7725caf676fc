/// The objects that a request asks for, one after the other, in memory that does not grow.
///
///     let cursor = try context.cursor(for: Walk.fetchRequest())
///     while let walk = try cursor.next() { total += walk.distance ?? 0 }
///
/// The query runs while the cursor moves and sees the store as it was when it was first moved. An
/// object goes with its last use, as any that nobody holds. Not Sendable: it stays in the context's
/// isolation. Core Data has no such thing; a fetch with a batch size comes nearest.
public final class FetchCursor<Result: ManagedObject> {
  private let context: ManagedObjectContext
  private let coordinator: PersistentStoreCoordinator
  private var rows: (any RowCursor)?
  /// Rows that were read ahead, the next one last, so that the store is not asked for each.
  private var ahead: [(key: Int64, entity: Int, row: PackedRow)] = []

  init(_ rows: (any RowCursor)?, of context: ManagedObjectContext) {
    self.rows = rows
    self.context = context
    coordinator = context.persistentStoreCoordinator
  }

  deinit { close() }

  /// The next object, or nil at the end.
  ///
  /// An object that the context knows keeps the values it has; one that is deleted and not yet saved
  /// is left out.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public func next() throws -> Result? {
    while true {
      if ahead.isEmpty { try readAhead() }
      guard let (key, place, row) = ahead.popLast() else { return nil }
      let entity = context.contextEntity(at: place)
      let object = context.object(key, of: entity, taking: row)
      context.sendAwakeFromFetch()
      guard object._state.isDisjoint(with: [.deleted, .gone]) else { continue }
      // The request's entity was found to have objects of the class alone.
      return unsafeDowncast(object, to: Result.self)
    }
  }

  /// Ends the query; there are no more objects then.
  ///
  /// As long as it runs, the store's write-ahead log cannot be emptied. The last object ends it too.
  public func close() {
    for (_, entity, row) in ahead {
      row.free(slotCount: context.contextEntity(at: entity).binding.slotCount)
    }
    ahead = []
    // The statement is the store's.
    coordinator.locked { rows = nil }
  }

  private func readAhead() throws {
    guard let rows else { return }
    try coordinator.locked {
      while ahead.count < 32 {
        guard try rows.next() else {
          self.rows = nil
          break
        }
        let binding = context.contextEntity(at: rows.entity).binding
        ahead.append((rows.key, rows.entity, try rows.makeRow(of: binding)))
      }
    }
    ahead.reverse()
  }
}

@available(*, unavailable) extension FetchCursor: Sendable {}

extension ManagedObjectContext {
  /// A cursor over the objects that a request asks for: for results too many to hold.
  ///
  /// Only what is stored is found; batches, prefetching and unsaved changes do not count.
  ///
  /// - Throws: As `fetch(_:)` does.
  /// - Precondition: the request sorts by no comparator and asks one store, and the context has no
  ///   parent.
  public func cursor<Result: ManagedObject>(
    for request: FetchRequest<Result>
  ) throws -> FetchCursor<Result> {
    let plans = try plans(request)
    precondition(plans.count <= 1, "A cursor reads one store: say in affectedStores which.")
    precondition(parent == nil, "A cursor reads a store, and this context reads its parent.")
    guard let plan = plans.first else { return FetchCursor(nil, of: self) }
    precondition(!plan.sorts.needsMemory, "A comparator needs all objects at once.")
    return FetchCursor(try persistentStoreCoordinator.cursor(plan), of: self)
  }
}
