/// Releases what deallocated objects held, one after the other.
///
/// A list may hold the last reference to a member that has a list of its own, and so on: nested
/// releases of a long chain would overflow the stack. The objects of a context share one queue.
final class ReleaseQueue {
  private var waiting: [ManagedObject.Side] = []
  private var isReleasing = false

  /// Takes ownership of what an object held.
  func release(_ side: inout ManagedObject.Side?) {
    take(&side)
    if !isReleasing { releaseAll() }
  }

  /// A separate function, so that no reference remains when the release begins.
  private func take(_ side: inout ManagedObject.Side?) {
    guard let held = side else { return }
    side = nil
    waiting.append(held)
  }

  private func releaseAll() {
    isReleasing = true
    defer { isReleasing = false }
    while let side = waiting.popLast() { withExtendedLifetime(side) {} }
  }
}

@available(*, unavailable) extension ReleaseQueue: Sendable {}
