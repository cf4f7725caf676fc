import DataModel

/// An iterator over the objects that a request matches, in constant memory.
///
///     let cursor = try context.cursor(for: Walk.fetchRequest())
///     while let walk = try cursor.next() { total += walk.distance ?? 0 }
///
/// The query runs while the cursor advances, over a connection of its own to each file: it sees the
/// store as of the cursor's creation, regardless of later saves, and blocks no other connection. A
/// cursor made in `performReading` sees what that body reads, and ends with it. An object is
/// deallocated after its last use unless it is retained elsewhere. Not Sendable: it stays in the
/// context's isolation. Core Data has no counterpart; a fetch with a batch size comes closest.
public final class FetchCursor<Result: ManagedObject> {
  private let context: ManagedObjectContext
  /// One for each store to be read.
  private let sources: [FetchCursorSource]
  /// The only source; nil if several stores are read.
  private let onlySource: FetchCursorSource?
  // With several stores: the number of rows still to skip, and to return.
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
  /// A registered object keeps its values; one with an unsaved deletion is skipped.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read; there are no more objects then.
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
      guard object._state.isDisjoint(with: [.deleted, .detached]) else { continue }
      // The request's entity was checked to have only objects of the class.
      return unsafeDowncast(object, to: Result.self)
    }
    return nil
  }

  /// Ends the query; there are no more objects then.
  ///
  /// While it runs, the store's write-ahead log cannot be emptied. Reaching the last object also
  /// ends it.
  public func close() {
    for source in sources { source.close() }
  }

  /// The next row among all stores.
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
  /// A cursor over the objects that a request matches, for results too large to hold in memory.
  ///
  /// Only stored objects are found; batches, prefetching and unsaved changes are ignored. The
  /// objects of several stores are merged into one order.
  ///
  /// - Throws: As `fetch(_:)` does, also if another connection cannot be opened.
  /// - Precondition: the request sorts by no comparator, and the context has no parent.
  public func cursor<Result: ManagedObject>(
    for request: FetchRequest<Result>
  ) throws -> FetchCursor<Result> {
    let plans = try plans(request)
    require(
      parent == nil, "A cursor reads from a store, but this context reads from its parent context.")
    require(
      !plans.contains { $0.sorts.needsMemory },
      "A cursor cannot sort by a comparator, which needs all objects at once.")
    return try FetchCursor(plans, of: self)
  }
}
