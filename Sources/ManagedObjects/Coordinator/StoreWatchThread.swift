import SystemLibraries

/// The thread that watches the files of stores that are followed.
///
/// It runs while there are such stores, and sleeps in the system while nothing happens to their
/// files.
final class StoreWatchThread: Sendable {
  static let shared = StoreWatchThread()

  private let lock = Lock()
  // All guarded by the lock.
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var added: [(number: Int, traces: ChangeDetection, tell: Teller)] = []
  nonisolated(unsafe) private var removed: Set<Int> = []
  /// The pipe that wakes the thread; nil while it does not run.
  nonisolated(unsafe) private var pipe: SelfPipe?

  typealias Teller = AsyncStream<Void>.Continuation

  /// Registers a continuation that is resumed whenever it is time to check, the first time soon.
  func add(_ traces: ChangeDetection, telling tell: Teller) -> Int {
    lock.withLock {
      count += 1
      added.append((count, traces, tell))
      if pipe == nil { start() } else { wake() }
      return count
    }
  }

  func remove(_ number: Int) {
    lock.withLock {
      removed.insert(number)
      wake()
    }
  }

  /// To be called with the lock held.
  private func wake() { if let pipe { SelfPipe.wake(pipe.writeEnd) } }

  /// To be called with the lock held.
  private func start() {
    let pipe = SelfPipe()
    self.pipe = pipe
    startThread { [self] in
      var watches: [Int: (watch: StoreWatch, tell: Teller)] = [:]
      while takeChanges(of: &watches) {
        wait(pipe, watches.values.map(\.watch))
        for (watch, tell) in watches.values where watch.isPollDue() { tell.yield() }
      }
    }
  }

  /// Waits until a file event, or until it is time to check.
  private func wait(_ pipe: SelfPipe, _ watches: [StoreWatch]) {
    var states = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
    // Without a pipe it wakes periodically.
    var milliseconds: Int32 = pipe.readEnd < 0 ? 500 : -1
    for watch in watches {
      states.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
      let time = watch.millisecondsToWait()
      if time >= 0 { milliseconds = milliseconds < 0 ? time : min(milliseconds, time) }
    }
    guard poll(&states, nfds_t(states.count), milliseconds) > 0 else { return }
    if states[0].revents != 0 { pipe.drain() }
    for (watch, state) in zip(watches, states.dropFirst()) where state.revents != 0 {
      watch.takeEvents()
    }
  }

  /// Adds new watches and removes old ones; false if none is left, which ends the thread.
  private func takeChanges(
    of watches: inout [Int: (watch: StoreWatch, tell: Teller)]
  ) -> Bool {
    let new = lock.withLock {
      defer { (added, removed) = ([], []) }
      for number in removed { watches[number] = nil }
      added.removeAll { removed.contains($0.number) }
      if watches.isEmpty, added.isEmpty {
        pipe?.close()
        pipe = nil
        return [(number: Int, traces: ChangeDetection, tell: Teller)]?.none
      }
      return added
    }
    guard let new else { return false }
    for (number, traces, tell) in new { watches[number] = (StoreWatch(traces), tell) }
    return true
  }
}
