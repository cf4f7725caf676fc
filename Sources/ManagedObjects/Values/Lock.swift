import SystemLibraries

/// A lock: one thread at a time is inside, and may come in again.
///
/// `Synchronization.Mutex` would do, but Thread Sanitizer does not see it here and cries wolf.
final class Lock: @unchecked Sendable {
  // A pthread mutex must not move in memory, and is made for use by several threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// How often the thread that is inside has come in; only it may look.
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

  /// Comes in where no other thread is inside; whoever did has to `leave()`.
  ///
  /// - Returns: how often this thread is inside now; nil where another one is.
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
