import DataModel

/// The rows of a store that is read whole and written whole, which others may do as well.
///
/// A save looks first whether somebody has replaced what is stored since it was read; if so, that
/// is read, rows that are the same keep their lock counts, and the save meets those that are not as
/// it meets them in any store. So nothing that others wrote is lost, and only who changed the same
/// objects is told of a conflict. Fetches look too.
class AtomicRows: InMemoryStore, TransactionalStore, @unchecked Sendable {
  /// How often others have changed what is stored.
  private var foreignChangeCount: Int64 = 0
  private var isReading = false
  /// The contents that are stored, where a transaction has changed them since.
  private var written: Contents?

  // MARK: What a kind of store does

  /// Whether others are kept from writing.
  var isLocked: Bool { fatalError("A kind of store says so.") }

  /// Waits until nobody else writes, and keeps others from it.
  func lock() throws { fatalError("A kind of store does so.") }

  func unlock() { fatalError("A kind of store does so.") }

  /// Reads what others have put there since it was read or written; nil where nobody has.
  func changedContents() throws -> Contents? { fatalError("A kind of store does so.") }

  /// Puts some contents in the place of those that are stored; where it fails, those still are.
  ///
  /// - Parameter body: what has to go well before they count.
  func put(_ contents: Contents, before body: () throws -> Void) throws {
    fatalError("A kind of store does so.")
  }

  /// Puts the name of what was written on the disk, so that a power loss does not take it back.
  func syncName() throws {}

  /// Why metadata cannot be stored; nil where they can.
  func problem(with metadata: [String: PropertyList]) -> String? { nil }

  // MARK: Following others

  override var transactions: (any TransactionalStore)? { self }

  override func followChanges() throws {
    // Who holds the lock keeps others from changing it.
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
      // Where it could not be written, it has never been.
      if let written { contents = written }
      written = nil
      unlock()
    }
    if written != nil { try write(contents) {} }
  }

  // MARK: Writing

  override func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    // One that fails within a transaction leaves it as it was: there may be a second attempt.
    try inTransaction(endsIt: true) {
      var save = InMemorySave(contents: contents, request: request, joins: joins, store: self)
      let result = try save.run()
      try write(save.contents, before: body)
      return result
    }
  }

  private func write(_ contents: Contents, before body: () throws -> Void) throws {
    try put(contents, before: body)
    self.contents = contents
    written = nil
    replacementCount &+= 1
    try syncName()
  }

  /// Runs a body in the transaction that there is, or in one of its own.
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

  /// Changes the contents in a transaction of their own, or as part of the one that there is.
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
    try change { $0.takeKeys(count, of: root.index) }
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
