import DataModel
import Synchronization
import SystemLibraries

/// Reading the stores: within the lock as long as threads do not meet there, and then beside it.
extension PersistentStoreCoordinator {
  /// A `performReading` that has not ended.
  struct Reading {
    /// Whether it is inside the lock, for want of connections of its own.
    let isInside: Bool
    /// What stores without connections held when it began, by their places.
    var snapshots: [Int: any StoreReading] = [:]
    /// The cursors over what is being read.
    var cursors: [ReadingCursor] = []
  }

  /// Reads a store: over the connection that writes while no other thread is inside, else over one
  /// that only reads.
  private func reading<Result>(
    _ entity: EntityBinding, _ body: (any StoreReading) throws -> Result
  ) throws -> Result {
    if let depth = lock.tryEnter() {
      // Whoever writes reads what it has written.
      if depth > 1 || !haveMet.load(ordering: .relaxed) {
        defer { lock.leave() }
        return try body(store(of: entity))
      }
      lock.leave()
    } else {
      haveMet.store(true, ordering: .relaxed)
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

  /// Runs a plan; gives the state that its store was in with what the body gives.
  func readWithState<Result>(
    _ plan: FetchPlan, _ body: (any RowCursor) throws -> Result
  ) throws -> (result: Result, state: UInt32?) {
    try lock.withLock {
      let store = store(of: plan.entity)
      return (try body(store.rows(for: plan)), store.state)
    }
  }

  /// The state that an entity's store is in now.
  func state(of entity: EntityBinding) throws -> UInt32? {
    try lock.withLock {
      let store = store(of: entity)
      // A store learns of a new state when it reads; no row has this key.
      if let row = try store.row(0, of: entity) { row.row.free(slotCount: row.entity.slotCount) }
      return store.state
    }
  }

  /// The first row that has a value, and the state that its store was in.
  func row(
    with value: Scalar, at slot: Int, of entity: EntityBinding
  ) throws -> (found: FoundRow?, state: UInt32?) {
    // What is pinned need not be what a save finds.
    if haveMet.load(ordering: .relaxed), reading?.isInside == false {
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

  /// Dictionaries as a plan's store makes them; nil where it has handed over values, as `values`
  /// does.
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

  /// A cursor that stays with the state the store has now, and whether it reads over a connection
  /// that others use, so that it is to be moved and let go of by `exclusively(reading:)` alone.
  func cursor(_ plan: FetchPlan) throws -> (rows: any RowCursor, isShared: Bool) {
    // What `performReading` has pinned only its own connection sees.
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

  /// Runs a body that reads over a connection which this thread shares with others.
  func exclusively<Result>(reading body: () throws -> Result) rethrows -> Result {
    // In `performReading` the connection is this thread's.
    if let reading, !reading.isInside { return try body() }
    return try lock.withLock(body)
  }

  /// The `performReading` that this thread is in.
  var reading: Reading? { listLock.withLock { readings[pthread_self()] } }

  /// Has a cursor end with `performReading`, where it is made in one.
  func endWithReading(_ cursor: any PinnedCursor) {
    listLock.withLock { readings[pthread_self()]?.cursors.append(ReadingCursor(cursor: cursor)) }
  }

  /// A cursor that was made in `performReading`, if it is still there.
  struct ReadingCursor {
    weak var cursor: (any PinnedCursor)?
  }

  /// The row with a key, and the index of its entity; the caller frees it.
  func row(_ key: Int64, of entity: EntityBinding) throws -> (row: PackedRow, entity: Int)? {
    try reading(entity) { try $0.row(key, of: entity).map { ($0.row, $0.entity.index) } }
  }

  /// Reads the value of a slot that may be in a file of its own; nil where there is none.
  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    try reading(entity) { try $0.externalValue(at: slot, of: entity, key) }
  }

  /// Runs a body in which all stores stay as they are for this thread.
  func performReading<Result>(
    expecting reads: [ExpectedPlan] = [], _ body: () throws -> Result
  ) throws -> Result {
    if reading != nil { return try body() }
    if let depth = lock.tryEnter() {
      // Where no store has connections of its own, what is pinned keeps nobody waiting.
      let isBeside =
        haveMet.load(ordering: .relaxed) || rowStores.allSatisfy { $0.readerPool == nil }
      if depth > 1 || !isBeside {
        defer { lock.leave() }
        return try performReadingInside(expecting: reads, body)
      }
      lock.leave()
    }
    // What this thread reads is looked for beside the lock, too.
    haveMet.store(true, ordering: .relaxed)
    guard let snapshots = try snapshots() else {
      return try lock.withLock { try performReadingInside(expecting: reads, body) }
    }
    return try performReadingBeside(rowStores[...], snapshots, body)
  }

  /// What the stores without connections of their own hold now; nil where one can only be read
  /// inside the lock.
  private func snapshots() throws -> [Int: any StoreReading]? {
    let stores = rowStores.filter { $0.readerPool == nil }
    // Who reads over connections waits for nobody.
    guard !stores.isEmpty else { return [:] }
    return try lock.withLock {
      var snapshots: [Int: any StoreReading] = [:]
      for store in stores {
        guard let snapshot = try store.snapshot() else { return nil }
        snapshots[store.offset] = snapshot
      }
      return snapshots
    }
  }

  /// Pins what the stores' own connections read, while nobody else is inside.
  private func performReadingInside<Result>(
    expecting reads: [ExpectedPlan], _ body: () throws -> Result
  ) throws -> Result {
    // One that `performWriting` keeps as it is stays so.
    let free = rowStores.compactMap(\.transactions).filter { !$0.isInTransaction }
    defer {
      for store in free { store.endReading() }
    }
    for store in free { try store.beginReading(expecting: reads) }
    return try noting(Reading(isInside: true), body)
  }

  /// Pins what connections read that this thread alone has.
  private func performReadingBeside<Result>(
    _ rest: ArraySlice<any RowStore>, _ snapshots: [Int: any StoreReading],
    _ body: () throws -> Result
  ) throws -> Result {
    guard let store = rest.first else {
      return try noting(Reading(isInside: false, snapshots: snapshots), body)
    }
    guard let readers = store.readerPool else {
      return try performReadingBeside(rest.dropFirst(), snapshots, body)
    }
    return try readers.withPinnedReader {
      try performReadingBeside(rest.dropFirst(), snapshots, body)
    }
  }

  /// Runs a body that is known to be this thread's `performReading`; its cursors end with it.
  private func noting<Result>(
    _ reading: Reading, _ body: () throws -> Result
  ) rethrows -> Result {
    listLock.withLock { readings[pthread_self()] = reading }
    defer {
      for cursor in self.reading?.cursors ?? [] { cursor.cursor?.cutOff() }
      listLock.withLock { readings[pthread_self()] = nil }
    }
    return try body()
  }
}
