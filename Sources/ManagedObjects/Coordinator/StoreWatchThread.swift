import SystemLibraries

/// The thread on which the files of stores that are followed are watched; there is one while there
/// are such, and it sleeps in the system while nothing happens to them.
final class StoreWatchThread: Sendable {
  static let shared = StoreWatchThread()

  private let lock = Lock()
  // All guarded by the lock.
  nonisolated(unsafe) private var isRunning = false
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var added: [(number: Int, traces: StoreTraces, tell: Teller)] = []
  nonisolated(unsafe) private var removed: Set<Int> = []
  /// The pipe whose bytes wake the thread; -1 where there was none to be had.
  nonisolated(unsafe) private var wakingEnd: Int32 = -1

  typealias Teller = AsyncStream<Void>.Continuation

  /// Has somebody told whenever it is time to look, the first time soon.
  func add(_ traces: StoreTraces, telling tell: Teller) -> Int {
    lock.withLock {
      count += 1
      added.append((count, traces, tell))
      if isRunning { wake() } else { start() }
      return count
    }
  }

  func remove(_ number: Int) {
    lock.withLock {
      removed.insert(number)
      if isRunning { wake() }
    }
  }

  /// To be called within the lock.
  private func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes it as well.
    _ = write(wakingEnd, &byte, 1)
  }

  /// To be called within the lock.
  private func start() {
    var ends: [Int32] = [-1, -1]
    // Without one it wakes by itself now and then.
    _ = pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakingEnd = ends[1]
    isRunning = true
    let end = ends[0]
    startThread { [self] in
      var watches: [Int: (watch: StoreWatch, tell: Teller)] = [:]
      while takeChanges(of: &watches, closing: end) {
        wait(end, watches.values.map(\.watch))
        for (watch, tell) in watches.values where watch.isTimeToLook() { tell.yield() }
      }
    }
  }

  /// Waits until something happens, or it is time to look.
  private func wait(_ end: Int32, _ watches: [StoreWatch]) {
    var states = [pollfd(fd: end, events: Int16(POLLIN), revents: 0)]
    var milliseconds: Int32 = end < 0 ? 500 : -1
    for watch in watches {
      states.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
      let time = watch.millisecondsToWait()
      if time >= 0 { milliseconds = milliseconds < 0 ? time : min(milliseconds, time) }
    }
    guard poll(&states, nfds_t(states.count), milliseconds) > 0 else { return }
    if states[0].revents != 0 {
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
        while read(end, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
    for (watch, state) in zip(watches, states.dropFirst()) where state.revents != 0 {
      watch.takeEvents()
    }
  }

  /// Takes up what was added, and lets go of what was removed; false where nothing is left, which
  /// ends the thread.
  private func takeChanges(
    of watches: inout [Int: (watch: StoreWatch, tell: Teller)], closing end: Int32
  ) -> Bool {
    let new = lock.withLock {
      defer { (added, removed) = ([], []) }
      for number in removed { watches[number] = nil }
      added.removeAll { removed.contains($0.number) }
      if watches.isEmpty, added.isEmpty {
        isRunning = false
        for end in [wakingEnd, end] where end >= 0 { close(end) }
        wakingEnd = -1
        return [(number: Int, traces: StoreTraces, tell: Teller)]?.none
      }
      return added
    }
    guard let new else { return false }
    for (number, traces, tell) in new { watches[number] = (StoreWatch(traces), tell) }
    return true
  }
}
