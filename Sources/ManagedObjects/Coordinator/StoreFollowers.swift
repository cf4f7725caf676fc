import SystemLibraries

/// Those who wait for what happens to a coordinator's stores, to be told when they should look.
///
/// Kept apart from the coordinator, so that whoever waits does not hold it.
final class StoreFollowers: Sendable {
  private let lock = Lock()
  // Guarded by the lock.
  nonisolated(unsafe) private var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
  nonisolated(unsafe) private var count = 0

  func add(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    lock.withLock {
      count += 1
      continuations[count] = continuation
      return count
    }
  }

  func remove(_ number: Int) { lock.withLock { continuations[number] = nil } }

  /// Has all of them look: a store has gone, has another place, or all have gone.
  func tell() {
    for continuation in lock.withLock({ Array(continuations.values) }) { continuation.yield() }
  }
}
