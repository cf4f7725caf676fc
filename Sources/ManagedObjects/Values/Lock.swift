import SystemLibraries

/// A recursive lock.
///
/// `Synchronization.Mutex` would do, but Thread Sanitizer does not recognise it here and reports
/// false positives.
final class Lock: @unchecked Sendable {
  // A pthread mutex must not move in memory, and may be used by several threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The recursion depth of the thread that holds the lock; only that thread may read it.
  private var depth = 0

  init() {
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    depth += 1
    defer { leave() }
    return try body()
  }

  /// Locks it if no other thread holds it; the caller then has to call `leave()`.
  ///
  /// - Returns: the recursion depth of this thread; nil if another thread holds the lock.
  func tryEnter() -> Int? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    depth += 1
    return depth
  }

  func leave() {
    depth -= 1
    pthread_mutex_unlock(mutex)
  }
}
