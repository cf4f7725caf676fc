/// Lets go of what ending objects hold, one after the other.
///
/// A list may hold the last reference to a member that has a list of its own, and so on: let go of
/// within one another, a long chain of them would need the stack for each. A context's objects
/// share one.
final class ReleaseQueue {
  private var waiting: [ManagedObject.Side] = []
  private var isReleasing = false

  /// Takes over what an object held.
  func release(_ side: inout ManagedObject.Side?) {
    take(&side)
    if !isReleasing { releaseAll() }
  }

  /// A function of its own, so that no reference is left when the releasing begins.
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
