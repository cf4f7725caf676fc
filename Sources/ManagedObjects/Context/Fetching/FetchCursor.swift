import DataModel

/// The objects that a request asks for, one after the other, in memory that does not grow.
///
///     let cursor = try context.cursor(for: Walk.fetchRequest())
///     while let walk = try cursor.next() { total += walk.distance ?? 0 }
///
/// The query runs while the cursor moves, over a connection of its own to each file: it sees the
/// store as it was when the cursor was made, whatever is saved meanwhile, here or elsewhere, and
/// nobody waits for it. One that is made in `performReading` reads what that body reads, and ends
/// with it. An object goes with its last use, as any that nobody holds. Not Sendable: it stays in
/// the context's isolation. Core Data has no such thing; a fetch with a batch size comes nearest.
public final class FetchCursor<Result: ManagedObject> {
  private let context: ManagedObjectContext
  /// One for each store that is asked.
  private let sources: [FetchCursorSource]
  /// The only source; nil where several stores are asked.
  private let onlySource: FetchCursorSource?
  // What several stores cannot count off: rows still to leave out, and to give.
  private var offset = 0
  private var rest = Int.max

  init(_ plans: [FetchPlan], of context: ManagedObjectContext) throws {
    self.context = context
    var sources: [FetchCursorSource] = []
    for var plan in plans {
      if plans.count > 1 {
        offset = plan.offset
        if plan.limit > 0 { rest = plan.limit }
        plan = plan.fromFirst
      }
      let sorts = plans.count > 1 ? plan.sorts : []
      sources.append(try FetchCursorSource(plan, sorts: sorts, of: context))
    }
    self.sources = sources
    onlySource = sources.count == 1 ? sources[0] : nil
  }

  deinit { close() }

  /// The next object, or nil at the end.
  ///
  /// An object that the context knows keeps the values it has; one that is deleted and not yet
  /// saved is left out.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read; there are no more objects
  ///   then.
  /// - Precondition: the `performReading` that the cursor was made in, if any, has not ended.
  public func next() throws -> Result? {
    while rest > 0 {
      guard let (key, index, row) = try takeRow() else { return nil }
      let entity = context.contextEntity(at: index)
      guard offset == 0 else {
        offset -= 1
        row.free(slotCount: entity.binding.slotCount)
        continue
      }
      let object = context.object(key, of: entity, taking: row)
      context.sendAwakeFromFetch()
      rest -= 1
      guard object._state.isDisjoint(with: [.deleted, .gone]) else { continue }
      // The request's entity was found to have objects of the class alone.
      return unsafeDowncast(object, to: Result.self)
    }
    return nil
  }

  /// Ends the query; there are no more objects then.
  ///
  /// As long as it runs, the store's write-ahead log cannot be emptied. The last object ends it
  /// too.
  public func close() {
    for source in sources { source.close() }
  }

  /// The row that comes next of all stores'.
  private func takeRow() throws -> FetchCursorSource.Row? {
    if let onlySource { return try onlySource.takeRow() }
    var first: FetchCursorSource?
    for source in sources where try source.hasRow() {
      guard let other = first else {
        first = source
        continue
      }
      if source.sorts.areInOrder(source.nextKeys, other.nextKeys) == true { first = source }
    }
    return try first?.takeRow()
  }
}

@available(*, unavailable) extension FetchCursor: Sendable {}

extension ManagedObjectContext {
  /// A cursor over the objects that a request asks for: for results too many to hold.
  ///
  /// Only what is stored is found; batches, prefetching and unsaved changes do not count. The
  /// objects of several stores come in one order.
  ///
  /// - Throws: As `fetch(_:)` does, also where another connection cannot be opened.
  /// - Precondition: the request sorts by no comparator, and the context has no parent.
  public func cursor<Result: ManagedObject>(
    for request: FetchRequest<Result>
  ) throws -> FetchCursor<Result> {
    let plans = try plans(request)
    require(parent == nil, "A cursor reads a store, and this context reads its parent.")
    require(
      !plans.contains { $0.sorts.needsMemory }, "A comparator needs all objects at once.")
    return try FetchCursor(plans, of: self)
  }
}
