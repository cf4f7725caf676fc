/// Releases what deallocated objects held, one after the other.
///
/// A list may hold the last reference to a member that has a list of its own, and so on: nested
/// releases of a long chain would overflow the stack. The objects of a context share one queue.
final class ReleaseQueue {
  private var waiting: [ManagedObject.Side] = []
  private var isReleasing = false
  /// Guards the queue if objects are deallocated on several threads; otherwise nil.
  private let lock: Lock?

  init(isShared: Bool = false) { lock = isShared ? Lock() : nil }

  /// Takes ownership of what an object held.
  func release(_ side: inout ManagedObject.Side?) {
    guard locked({ take(&side) }) else { return }
    while let side = locked(next) { withExtendedLifetime(side) {} }
  }

  /// A separate function, so that no reference remains when the release begins.
  ///
  /// - Returns: whether the caller is to release all.
  private func take(_ side: inout ManagedObject.Side?) -> Bool {
    guard let held = side else { return false }
    side = nil
    waiting.append(held)
    defer { isReleasing = true }
    return !isReleasing
  }

  private func next() -> ManagedObject.Side? {
    isReleasing = !waiting.isEmpty
    return waiting.popLast()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    if let lock { lock.withLock(body) } else { body() }
  }
}

@available(*, unavailable) extension ReleaseQueue: Sendable {}
