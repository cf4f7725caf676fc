import DataModel
import Synchronization
import SystemLibraries

/// Reading stores: with the lock held as long as it is not contended, and without it from then on.
extension PersistentStoreCoordinator {
  /// An active `performReading`.
  struct Reading {
    /// Whether it holds the lock, because a store has no connections for readers.
    let holdsLock: Bool
    /// The snapshots of stores without connections at its beginning, by the stores' offsets.
    var snapshots: [Int: any ReadableStore] = [:]
    /// The cursors created in it.
    var cursors: [ReadingCursor] = []
  }

  /// Reads a store: over the writing connection while the lock is free, otherwise over a reading
  /// one.
  private func reading<Result>(
    _ entity: EntityBinding, _ body: (any ReadableStore) throws -> Result
  ) throws -> Result {
    if let depth = lock.tryEnter() {
      // A thread that is writing must see what it has written.
      if depth > 1 || !isContended.load(ordering: .relaxed) {
        defer { lock.leave() }
        return try body(store(of: entity))
      }
      lock.leave()
    } else {
      isContended.store(true, ordering: .relaxed)
    }
    if let readers = readerPool(of: entity) { return try readers.withReader(body) }
    let pinned = listLock.withLock {
      readings[pthread_self()]?.snapshots[store(of: entity).offset]
    }
    if let snapshot = try pinned ?? lock.withLock({ try store(of: entity).snapshot() }) {
      return try body(snapshot)
    }
    return try lock.withLock { try body(store(of: entity)) }
  }

  private func readerPool(of entity: EntityBinding) -> (any StoreReaderPool)? {
    listLock.withLock { store(of: entity).readerPool }
  }

  func read<Result>(
    _ plan: FetchPlan, _ body: (any RowCursor) throws -> Result
  ) throws -> Result {
    try reading(plan.entity) { try body($0.rows(for: plan)) }
  }

  /// Runs a plan; returns the result of the body and the state of the store.
  func readWithState<Result>(
    _ plan: FetchPlan, _ body: (any RowCursor) throws -> Result
  ) throws -> (result: Result, state: UInt32?) {
    try lock.withLock {
      let store = store(of: plan.entity)
      return (try body(store.rows(for: plan)), store.state)
    }
  }

  /// The current state of an entity's store.
  func state(of entity: EntityBinding) throws -> UInt32? {
    try lock.withLock {
      let store = store(of: entity)
      // A store detects a new state when it reads; no row has this key.
      if let row = try store.row(0, of: entity) { row.row.free(slotCount: row.entity.slotCount) }
      return store.state
    }
  }

  /// The first row that has a value, and the state of its store.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> (found: FoundRow?, state: UInt32?) {
    // A pinned state may differ from the one that a save finds.
    if isContended.load(ordering: .relaxed), reading?.holdsLock == false {
      return (try reading(entity) { try $0.row(with: value, at: slot, of: entity) }, nil)
    }
    return try lock.withLock {
      let store = store(of: entity)
      return (try store.row(with: value, at: slot, of: entity), store.state)
    }
  }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    try reading(plan.entity) { try $0.values(plan, expressions, body) }
  }

  /// Dictionaries that a plan's store builds itself; nil if it has passed values to the body.
  func dictionaries(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws -> [[String: AttributeValue]]? {
    guard plan.entity.store.isIncremental else {
      try values(plan, expressions, body)
      return nil
    }
    return try lock.withLock {
      try store(of: plan.entity).dictionaries(plan, expressions, body)
    }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    try reading(plan.entity) { try $0.count(plan) }
  }

  /// A cursor over the store's current state, and whether it uses a shared connection.
  ///
  /// If so, it may be advanced and released only in `exclusively(reading:)`.
  func cursor(_ plan: FetchPlan) throws -> (rows: any RowCursor, isShared: Bool) {
    // The state that `performReading` has pinned is visible only to its own connection.
    if reading == nil {
      if let readers = readerPool(of: plan.entity) {
        return (try readers.lastingRows(for: plan), false)
      }
      if let rows = try lock.withLock({ try store(of: plan.entity).snapshot()?.rows(for: plan) }) {
        return (rows, false)
      }
    }
    return (try reading(plan.entity) { try $0.rows(for: plan) }, true)
  }

  /// Runs a body that reads over a connection shared with other threads.
  func exclusively<Result>(reading body: () throws -> Result) rethrows -> Result {
    // In `performReading` the connection belongs to this thread.
    if let reading, !reading.holdsLock { return try body() }
    return try lock.withLock(body)
  }

  /// The active `performReading` of this thread.
  var reading: Reading? { listLock.withLock { readings[pthread_self()] } }

  /// Ends a cursor together with the `performReading` in which it is created, if any.
  func endWithReading(_ cursor: any PinnedCursor) {
    listLock.withLock { readings[pthread_self()]?.cursors.append(ReadingCursor(cursor: cursor)) }
  }

  /// A cursor that was created in `performReading`, if it still exists.
  struct ReadingCursor {
    weak var cursor: (any PinnedCursor)?
  }

  /// The row with a key, and the index of its entity; the caller frees it.
  func row(_ key: Int64, of entity: EntityBinding) throws -> (row: PackedRow, entity: Int)? {
    try reading(entity) { try $0.row(key, of: entity).map { ($0.row, $0.entity.index) } }
  }

  /// Reads the value of a slot that may be in a file of its own; nil if there is none.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    try reading(entity) { try $0.externalValue(at: slot, of: entity, key) }
  }

  /// Runs a body in which all stores are read in one state by this thread.
  func performReading<Result>(
    expecting reads: [ExpectedPlan] = [], _ body: () throws -> Result
  ) throws -> Result {
    if reading != nil { return try body() }
    if let depth = lock.tryEnter() {
      // Where no store has connections for readers, a pinned state blocks no other thread.
      let needsNoLock =
        isContended.load(ordering: .relaxed) || rowStores.allSatisfy { $0.readerPool == nil }
      if depth > 1 || !needsNoLock {
        defer { lock.leave() }
        return try performReadingHoldingLock(expecting: reads, body)
      }
      lock.leave()
    }
    // Other reads of this thread must look for its connections without the lock, too.
    isContended.store(true, ordering: .relaxed)
    guard let snapshots = try snapshots() else {
      return try lock.withLock { try performReadingHoldingLock(expecting: reads, body) }
    }
    return try performReadingWithoutLock(rowStores[...], snapshots, body)
  }

  /// Snapshots of the stores without connections for readers; nil if one requires the lock.
  private func snapshots() throws -> [Int: any ReadableStore]? {
    let stores = rowStores.filter { $0.readerPool == nil }
    // Reading over connections waits for no lock.
    guard !stores.isEmpty else { return [:] }
    return try lock.withLock {
      var snapshots: [Int: any ReadableStore] = [:]
      for store in stores {
        guard let snapshot = try store.snapshot() else { return nil }
        snapshots[store.offset] = snapshot
      }
      return snapshots
    }
  }

  /// Pins the state that the stores' own connections read, with the lock held.
  private func performReadingHoldingLock<Result>(
    expecting reads: [ExpectedPlan], _ body: () throws -> Result
  ) throws -> Result {
    // A state that is pinned by `performWriting` stays pinned.
    let free = rowStores.compactMap(\.transactions).filter { !$0.isInTransaction }
    defer {
      for store in free { store.endReading() }
    }
    for store in free { try store.beginReading(expecting: reads) }
    return try noting(Reading(holdsLock: true), body)
  }

  /// Pins the state that connections of this thread alone read.
  private func performReadingWithoutLock<Result>(
    _ rest: ArraySlice<any RowStore>, _ snapshots: [Int: any ReadableStore],
    _ body: () throws -> Result
  ) throws -> Result {
    guard let store = rest.first else {
      return try noting(Reading(holdsLock: false, snapshots: snapshots), body)
    }
    guard let readers = store.readerPool else {
      return try performReadingWithoutLock(rest.dropFirst(), snapshots, body)
    }
    return try readers.withPinnedReader {
      try performReadingWithoutLock(rest.dropFirst(), snapshots, body)
    }
  }

  /// Runs a body as this thread's active `performReading`; its cursors end with it.
  private func noting<Result>(
    _ reading: Reading, _ body: () throws -> Result
  ) rethrows -> Result {
    listLock.withLock { readings[pthread_self()] = reading }
    defer {
      for cursor in self.reading?.cursors ?? [] { cursor.cursor?.invalidate() }
      listLock.withLock { readings[pthread_self()] = nil }
    }
    return try body()
  }
}
