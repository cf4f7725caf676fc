import SystemLibraries

/// The sequences that wait for changes of a coordinator's stores.
///
/// Kept apart from the coordinator, so that a sequence does not retain it.
final class RemoteChangeWaiters: Sendable {
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

  /// Ends each wait: a store was removed, has another URL, or the coordinator is deallocated.
  func tell() {
    for continuation in lock.withLock({ Array(continuations.values) }) { continuation.yield() }
  }
}
