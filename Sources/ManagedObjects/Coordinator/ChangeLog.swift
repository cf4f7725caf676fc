/// The recent changes of objects, for readers that poll them.
///
/// An entry is kept only until every reader has read it, and at most 20,000 IDs are kept: a reader
/// that falls further behind is notified that anything may have changed. So a reader that stops
/// reading does not cost memory.
final class ChangeLog: @unchecked Sendable {
  /// One save.
  private struct Entry {
    /// The context that saved, so that it does not receive its own saves.
    let source: ObjectIdentifier?
    let changes: ChangedObjectIDs
  }

  /// The position of one reader.
  private struct Reader {
    var next: Int
    /// Resumed when there is something to read.
    let continuation: AsyncStream<Void>.Continuation?
  }

  private static let limit = 20_000

  private let lock = Lock()
  // All guarded by the lock. Entries are numbered from the first save ever logged.
  private var entries: [Entry] = []
  private var first = 0
  private var idCount = 0
  private var readers: [Int: Reader] = [:]
  private var readerCount = 0
  private var isClosed = false

  deinit { close() }

  var hasReaders: Bool { lock.withLock { !readers.isEmpty } }

  /// Appends a save, and resumes waiting readers.
  func append(_ changes: ChangedObjectIDs, from source: AnyObject?) {
    let continuations = lock.withLock { () -> [AsyncStream<Void>.Continuation] in
      guard !readers.isEmpty else { return [] }
      let kept = changes.count > Self.limit ? .anything : changes
      entries.append(Entry(source: source.map { ObjectIdentifier($0) }, changes: kept))
      idCount += kept.count
      var (excess, count) = (idCount - Self.limit, 0)
      while excess > 0 {
        excess -= entries[count].changes.count
        count += 1
      }
      drop(count)
      return readers.values.compactMap(\.continuation)
    }
    for continuation in continuations { continuation.yield() }
  }

  /// Ends the streams of waiting readers.
  func close() {
    let continuations = lock.withLock {
      isClosed = true
      return readers.values.compactMap(\.continuation)
    }
    for continuation in continuations { continuation.finish() }
  }

  // MARK: Readers

  func addReader(continuation: AsyncStream<Void>.Continuation?) -> Int {
    lock.withLock {
      readerCount += 1
      readers[readerCount] = Reader(next: first + entries.count, continuation: continuation)
      if isClosed { continuation?.finish() }
      return readerCount
    }
  }

  func removeReader(_ reader: Int) {
    lock.withLock {
      readers[reader] = nil
      dropRead()
    }
  }

  /// The changes that a reader has not read yet, except those of one source.
  func take(_ reader: Int, but source: ObjectIdentifier?) -> [ChangedObjectIDs] {
    lock.withLock {
      guard let next = readers[reader]?.next else { return [] }
      var changes: [ChangedObjectIDs] = next < first ? [.anything] : []
      for entry in entries[max(next - first, 0)...] where source == nil || entry.source != source {
        changes.append(entry.changes)
      }
      readers[reader]?.next = first + entries.count
      dropRead()
      return changes
    }
  }

  private func dropRead() {
    let next = readers.values.map(\.next).min() ?? first + entries.count
    drop(min(max(next - first, 0), entries.count))
  }

  /// Drops the oldest entries, all at once: those behind them move only once.
  private func drop(_ count: Int) {
    guard count > 0 else { return }
    for entry in entries.prefix(count) { idCount -= entry.changes.count }
    entries.removeFirst(count)
    first += count
  }
}
