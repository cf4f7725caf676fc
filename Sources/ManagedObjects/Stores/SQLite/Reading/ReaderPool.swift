import SystemLibraries

/// Read-only connections to a store's file, for contexts that read concurrently or during a save.
///
/// They are opened on demand up to a limit; further callers wait until one is returned. Each reads
/// the newest state committed when the statement, or `performReading`, began. A thread has one at a
/// time, so that everything it reads in a call comes from one state.
final class ReaderPool: StoreReaderPool, @unchecked Sendable {
  private let limit: Int
  private let open: () throws -> SQLiteReader
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Guarded by the mutex.
  private var idle: [SQLiteReader] = []
  private var lent: [pthread_t: SQLiteReader] = [:]
  private var count = 0

  /// - Parameters:
  ///   - limit: the maximum number of connections.
  ///   - open: opens another connection to the file.
  init(limit: Int, open: @escaping () throws -> SQLiteReader) {
    self.limit = limit
    self.open = open
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    returned.initialize(to: pthread_cond_t())
    pthread_cond_init(returned, nil)
  }

  deinit {
    pthread_cond_destroy(returned)
    returned.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withReader<Result>(_ body: (any ReadableStore) throws -> Result) throws -> Result {
    try withOwnReader { try body($0) }
  }

  func withPinnedReader<Result>(_ body: () throws -> Result) throws -> Result {
    try withOwnReader { reader in
      try reader.beginReading()
      defer { reader.endReading() }
      return try body()
    }
  }

  func lastingRows(for plan: FetchPlan) throws -> any RowCursor {
    let reader = try open()
    try reader.beginReading()
    return try reader.rows(for: plan)
  }

  private func withOwnReader<Result>(_ body: (SQLiteReader) throws -> Result) throws -> Result {
    if let reader = current { return try body(reader) }
    let reader = try take()
    defer { giveBack(reader) }
    try reader.mappingErrors { try reader.connection.refuseIfMoved() }
    return try body(reader)
  }

  /// The connection that this thread uses.
  private var current: SQLiteReader? { locked { lent[pthread_self()] } }

  /// Closes the idle connections; those in use are not affected.
  func closeIdle() {
    let closed = locked {
      defer { idle = [] }
      count -= idle.count
      return idle
    }
    withExtendedLifetime(closed) {}
  }

  private func take() throws -> SQLiteReader {
    let found: SQLiteReader? = locked {
      while idle.isEmpty, count >= limit { pthread_cond_wait(returned, mutex) }
      let reader = idle.popLast()
      if let reader { lent[pthread_self()] = reader } else { count += 1 }
      return reader
    }
    if let found { return found }
    do {
      let reader = try open()
      locked { lent[pthread_self()] = reader }
      return reader
    } catch {
      locked {
        count -= 1
        pthread_cond_signal(returned)
      }
      throw error
    }
  }

  private func giveBack(_ reader: SQLiteReader) {
    locked {
      lent[pthread_self()] = nil
      idle.append(reader)
      pthread_cond_signal(returned)
    }
  }

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}
