/// What was changed lately, for those who come and ask.
///
/// Kept only as long as a reader has not read it, and 20,000 IDs at most: a reader that stays
/// behind more than that learns that anything may have changed. So nobody who stops reading costs
/// memory.
final class ChangeLog: @unchecked Sendable {
  /// One save.
  private struct Entry {
    /// Who saved, so that it is not told of its own saves.
    let source: ObjectIdentifier?
    let changes: ChangedObjectIDs
  }

  /// Where one reader stands.
  private struct Place {
    var next: Int
    /// Resumed when there is something to read.
    let continuation: AsyncStream<Void>.Continuation?
  }

  private static let limit = 20_000

  private let lock = Lock()
  // All guarded by the lock. Entries count from the first save ever logged.
  private var entries: [Entry] = []
  private var first = 0
  private var idCount = 0
  private var places: [Int: Place] = [:]
  private var readerCount = 0
  private var isClosed = false

  deinit { close() }

  var hasReaders: Bool { lock.withLock { !places.isEmpty } }

  /// Enters a save, and resumes those who wait.
  func append(_ changes: ChangedObjectIDs, from source: AnyObject?) {
    let continuations = lock.withLock { () -> [AsyncStream<Void>.Continuation] in
      guard !places.isEmpty else { return [] }
      let kept = changes.count > Self.limit ? .anything : changes
      entries.append(Entry(source: source.map { ObjectIdentifier($0) }, changes: kept))
      idCount += kept.count
      while idCount > Self.limit { dropFirst() }
      return places.values.compactMap(\.continuation)
    }
    for continuation in continuations { continuation.yield() }
  }

  /// Tells those who wait that nothing will come any more.
  func close() {
    let continuations = lock.withLock {
      isClosed = true
      return places.values.compactMap(\.continuation)
    }
    for continuation in continuations { continuation.finish() }
  }

  // MARK: Readers

  fileprivate func addReader(continuation: AsyncStream<Void>.Continuation?) -> Int {
    lock.withLock {
      readerCount += 1
      places[readerCount] = Place(next: first + entries.count, continuation: continuation)
      if isClosed { continuation?.finish() }
      return readerCount
    }
  }

  fileprivate func removeReader(_ reader: Int) {
    lock.withLock {
      places[reader] = nil
      dropRead()
    }
  }

  /// What a reader has not read yet, without what one source did.
  fileprivate func take(_ reader: Int, but source: ObjectIdentifier?) -> [ChangedObjectIDs] {
    lock.withLock {
      guard let next = places[reader]?.next else { return [] }
      var changes: [ChangedObjectIDs] = next < first ? [.anything] : []
      for entry in entries[max(next - first, 0)...] where source == nil || entry.source != source {
        changes.append(entry.changes)
      }
      places[reader]?.next = first + entries.count
      dropRead()
      return changes
    }
  }

  private func dropRead() {
    let next = places.values.map(\.next).min() ?? first + entries.count
    while first < next, !entries.isEmpty { dropFirst() }
  }

  private func dropFirst() {
    idCount -= entries.removeFirst().changes.count
    first += 1
  }
}

/// One who reads a log of changes, from the moment it was made.
final class ChangeLogReader: Sendable {
  private let log: ChangeLog
  private let number: Int

  init(_ log: ChangeLog, continuation: AsyncStream<Void>.Continuation? = nil) {
    self.log = log
    number = log.addReader(continuation: continuation)
  }

  deinit { log.removeReader(number) }

  /// What was not read yet, without what one source did.
  func take(but source: AnyObject? = nil) -> [ChangedObjectIDs] {
    log.take(number, but: source.map { ObjectIdentifier($0) })
  }
}
