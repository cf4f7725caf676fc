import DataModel

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
  /// One for each store that is asked.
  private var sources: [FetchCursorSource]
  // What several stores cannot count off: rows still to leave out, and to give.
  private var offset = 0
  private var rest = Int.max

  init(_ plans: [FetchPlan], of context: ManagedObjectContext) throws {
    self.context = context
    coordinator = context.persistentStoreCoordinator
    sources = []
    for var plan in plans {
      if plans.count > 1 {
        offset = plan.offset
        if plan.limit > 0 {
          rest = plan.limit
          plan.limit += plan.offset
        }
        plan.offset = 0
      }
      let sorts = plans.count > 1 ? plan.sorts : []
      sources.append(FetchCursorSource(rows: try coordinator.cursor(plan), sorts: sorts))
    }
  }

  deinit { close() }

  /// The next object, or nil at the end.
  ///
  /// An object that the context knows keeps the values it has; one that is deleted and not yet saved
  /// is left out.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public func next() throws -> Result? {
    while rest > 0 {
      guard let (key, place, row) = try takeRow() else { return nil }
      let entity = context.contextEntity(at: place)
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
  /// As long as it runs, the store's write-ahead log cannot be emptied. The last object ends it too.
  public func close() {
    for place in sources.indices { sources[place].freeRows(in: context) }
    // The statements are the stores'.
    coordinator.locked { sources = [] }
  }

  /// The row that comes next of all stores'.
  private func takeRow() throws -> FetchCursorSource.Row? {
    var first: Int?
    for place in sources.indices {
      if sources[place].ahead.isEmpty { try sources[place].readAhead(in: context) }
      guard !sources[place].ahead.isEmpty else { continue }
      guard let other = first else {
        first = place
        continue
      }
      let sorts = sources[place].sorts
      if sorts.areInOrder(sources[place].nextKeys, sources[other].nextKeys) == true {
        first = place
      }
    }
    return first.map { sources[$0].takeFirst() }
  }
}

@available(*, unavailable) extension FetchCursor: Sendable {}

/// The rows of one store on their way to a cursor.
struct FetchCursorSource {
  typealias Row = (key: Int64, entity: Int, row: PackedRow)

  private var rows: (any RowCursor)?
  /// What the rows of several stores are put in order by; empty where there is one.
  let sorts: [BoundSort]
  /// Rows that were read ahead, the next one last, so that the store is not asked for each.
  private(set) var ahead: [Row] = []
  private var keys: [SortKeys] = []
  private var passCount = 0

  init(rows: any RowCursor, sorts: [BoundSort]) {
    self.rows = rows
    self.sorts = sorts
  }

  /// What the next row is sorted by.
  ///
  /// - Precondition: there is one.
  var nextKeys: SortKeys { keys.last ?? [] }

  mutating func takeFirst() -> Row {
    if !keys.isEmpty { keys.removeLast() }
    return ahead.removeLast()
  }

  mutating func readAhead(in context: ManagedObjectContext) throws {
    guard let rows else { return }
    try context.persistentStoreCoordinator.locked {
      while ahead.count < 32 {
        guard try rows.next() else {
          self.rows = nil
          break
        }
        let binding = context.contextEntity(at: rows.entity).binding
        ahead.append((rows.key, rows.entity, try rows.makeRow(of: binding)))
      }
      // Of 10,000 rows no more stays in memory than of a million.
      passCount += 1
      if passCount % 128 == 0 { rows.releaseMemory() }
    }
    ahead.reverse()
    guard !sorts.isEmpty else { return }
    let stored = context.storedRows()
    keys = ahead.map { sorts.keys(of: $0.row, lookup: stored) }
  }

  mutating func freeRows(in context: ManagedObjectContext) {
    for (_, entity, row) in ahead {
      row.free(slotCount: context.contextEntity(at: entity).binding.slotCount)
    }
    ahead = []
    keys = []
  }
}

@available(*, unavailable) extension FetchCursorSource: Sendable {}

extension ManagedObjectContext {
  /// A cursor over the objects that a request asks for: for results too many to hold.
  ///
  /// Only what is stored is found; batches, prefetching and unsaved changes do not count. The objects
  /// of several stores come in one order.
  ///
  /// - Throws: As `fetch(_:)` does.
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
