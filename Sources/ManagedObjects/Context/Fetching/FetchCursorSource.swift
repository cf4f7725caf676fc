/// The source of one store's rows for a cursor.
final class FetchCursorSource: PinnedCursor {
  typealias Row = (key: Int64, entity: Int, row: PackedRow)

  private let context: ManagedObjectContext
  private let coordinator: PersistentStoreCoordinator
  private var rows: (any RowCursor)?
  /// Whether other reads use the same connection, under the coordinator's lock.
  private let isShared: Bool
  /// Whether the enclosing `performReading` has ended before all rows were read.
  private var isCutOff = false
  /// The sort order that merges the rows of several stores; empty if there is one.
  let sorts: [BoundSort]
  /// Rows that were read ahead, so that the store is not accessed for each, and the next one's
  /// index.
  private var ahead: [Row] = []
  private var next = 0
  /// The sort keys of the rows read ahead, if there are several stores.
  private var keys: [SortKeys] = []
  private var passCount = 0

  init(_ plan: FetchPlan, sorts: [BoundSort], of context: ManagedObjectContext) throws {
    self.context = context
    self.sorts = sorts
    coordinator = context.persistentStoreCoordinator
    let cursor = try coordinator.cursor(plan)
    rows = cursor.rows
    isShared = cursor.isShared
    if isShared { coordinator.endWithReading(self) }
  }

  deinit { close() }

  /// The sort keys of the next row.
  ///
  /// - Precondition: there is a next row.
  var nextKeys: SortKeys { keys.isEmpty ? [] : keys[next] }

  /// Whether there is another row.
  func hasRow() throws -> Bool {
    if next == ahead.count { try readAhead() }
    return next < ahead.count
  }

  /// The next row, which the caller frees; nil at the end.
  func takeRow() throws -> Row? {
    guard try hasRow() else { return nil }
    let row = ahead[next]
    next += 1
    return row
  }

  /// Reads the next rows, once all the previous ones were taken; an error ends the query.
  private func readAhead() throws {
    require(!isCutOff, "A cursor that was created in performReading cannot be used after it.")
    guard rows != nil else { return }
    do {
      if isShared { try coordinator.exclusively(reading: read) } else { try read() }
    } catch {
      close()
      throw error
    }
    guard !sorts.isEmpty else { return }
    let stored = context.storedRows()
    keys = ahead.map { sorts.keys(of: $0.row, lookup: stored) }
  }

  private func read() throws {
    guard let rows else { return }
    // Works on a local array, so that appending needs no exclusivity checks.
    var batch = ahead
    ahead = []
    next = 0
    batch.removeAll(keepingCapacity: true)
    defer { ahead = batch }
    while batch.count < 32 {
      guard try rows.next() else {
        self.rows = nil
        break
      }
      let binding = context.contextEntity(at: rows.entity).binding
      batch.append((rows.key, rows.entity, try rows.makeRow(of: binding)))
    }
    // Keeps memory use constant, however many rows are read.
    passCount += 1
    if passCount % 128 == 0 { rows.releaseMemory() }
  }

  /// Ends the query, since the state that it reads is no longer kept.
  func invalidate() {
    let isUnfinished = rows != nil || next < ahead.count
    close()
    isCutOff = isUnfinished
  }

  /// Ends the query; there are no more rows.
  func close() {
    for (_, entity, row) in ahead[next...] {
      row.free(slotCount: context.contextEntity(at: entity).binding.slotCount)
    }
    ahead = []
    next = 0
    keys = []
    isCutOff = false
    // A shared statement is returned to the store's connection.
    if isShared, rows != nil {
      coordinator.exclusively(reading: { rows = nil })
    } else {
      rows = nil
    }
  }
}

@available(*, unavailable) extension FetchCursorSource: Sendable {}
