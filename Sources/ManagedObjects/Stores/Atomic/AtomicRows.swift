import DataModel

/// The rows of a store that is read and written as a whole, possibly by several processes.
///
/// A save first checks whether another process has replaced the stored contents since they were
/// read. If so, they are read again, unchanged rows keep their lock counts, and changed rows are
/// subject to optimistic locking as in any store. So no foreign changes are lost, and only a
/// context that changed the same objects gets a conflict. Fetches check too.
class AtomicRows: InMemoryStore, TransactionalStore, @unchecked Sendable {
  /// How many times other processes have changed the stored contents.
  private var foreignChangeCount: Int64 = 0
  private var isReading = false
  /// The stored contents, if an open transaction has changed them since.
  private var written: Contents?

  // MARK: To be provided by store types

  /// Whether this store holds the write lock.
  var isLocked: Bool { fatalError("A store type must override this.") }

  /// Acquires the write lock, waiting until no other process holds it.
  func lock() throws { fatalError("A store type must override this.") }

  func unlock() { fatalError("A store type must override this.") }

  /// Reads the stored contents if they were changed since the last read or write; nil otherwise.
  func changedContents() throws -> Contents? { fatalError("A store type must override this.") }

  /// Replaces the stored contents; if that fails, the old ones are kept.
  ///
  /// Only after an `uncertain` error the new ones are written, but a power failure may restore the
  /// old ones.
  ///
  /// - Parameter body: must succeed before the contents are replaced.
  func put(_ contents: Contents, before body: () throws -> Void) throws {
    fatalError("A store type must override this.")
  }

  /// Syncs the name of the written file to the disk, so that a power failure does not undo the
  /// write.
  func syncName() throws {}

  /// Why metadata cannot be stored; nil if they can.
  func problem(with metadata: [String: PropertyList]) -> String? { nil }

  // MARK: Changes by other processes

  override var transactions: (any TransactionalStore)? { self }

  override func followChanges() throws {
    // While this store holds the lock, no other process can change the contents.
    guard !isReading, !isLocked else { return }
    try readChanges()
  }

  override func changeCount() throws -> Int64 {
    try followChanges()
    return foreignChangeCount
  }

  private func readChanges() throws {
    guard let contents = try changedContents() else { return }
    self.contents = contents
    replacementCount &+= 1
    foreignChangeCount += 1
  }

  // MARK: Transactions

  var isInTransaction: Bool { isReading || isLocked }

  func beginReading(expecting reads: [ExpectedPlan]) throws {
    try followChanges()
    isReading = true
  }

  func endReading() { isReading = false }

  func beginWriting(expecting reads: [ExpectedPlan]) throws {
    if isReadOnly { throw PersistentStoreError.readOnly(urlForErrors) }
    try lock()
    do {
      try readChanges()
    } catch {
      unlock()
      throw error
    }
  }

  func endWriting() throws {
    guard isLocked else { return }
    defer {
      // If the contents could not be written, they are discarded.
      if let written { contents = written }
      written = nil
      unlock()
    }
    if written != nil, let uncertainty = try write(contents, before: {}) { throw uncertainty }
  }

  // MARK: Writing

  override func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    // A save that fails within a transaction leaves that unchanged: it may be attempted again.
    try inTransaction(endsIt: true) {
      var save = InMemorySave(contents: contents, request: request, joins: joins, store: self)
      var result = try save.run()
      result.uncertainty = try write(save.contents, before: body)
      return result
    }
  }

  /// Replaces the stored contents.
  ///
  /// - Returns: the error if they were replaced, but a power failure may restore the old ones.
  private func write(
    _ contents: Contents, before body: () throws -> Void
  ) throws -> (any Error)? {
    var uncertainty: (any Error)?
    var haveOthersCommitted = false
    do {
      try put(contents) {
        try body()
        haveOthersCommitted = true
      }
    } catch PersistentStoreError.uncertain(let url, let error) where haveOthersCommitted {
      uncertainty = PersistentStoreError.uncertain(url, error)
    }
    self.contents = contents
    written = nil
    replacementCount &+= 1
    do { try syncName() } catch { uncertainty = uncertainty ?? error }
    return uncertainty
  }

  /// Runs a body in the open transaction, or in one of its own.
  private func inTransaction<Result>(
    endsIt: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    if isReadOnly { throw PersistentStoreError.readOnly(urlForErrors) }
    let isWhole = !isLocked
    if isWhole { try beginWriting(expecting: []) }
    let result: Result
    do {
      result = try body()
    } catch {
      if isWhole { unlock() }
      throw error
    }
    if isWhole || endsIt { try endWriting() }
    return result
  }

  /// Changes the contents in a transaction of its own, or as part of the open one.
  private func change<Result>(_ body: (inout Contents) throws -> Result) throws -> Result {
    try inTransaction {
      var changed = contents
      let result = try body(&changed)
      written = written ?? contents
      contents = changed
      return result
    }
  }

  override func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    try change { contents in
      guard let first = contents.takeKeys(count, of: root.index) else { throw noKeysLeft }
      return first
    }
  }

  override func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    try self.change { contents in
      var metadata = contents.metadata
      change(&metadata)
      if let problem = problem(with: metadata) {
        throw PersistentStoreError.unwritableValue(urlForErrors, problem)
      }
      contents.metadata = metadata
    }
  }
}
