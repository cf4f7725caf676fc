/// The contexts whose parent a context is, without retaining them.
///
/// There is a lock, since a child with a queue is created and deallocated on any thread.
final class ContextChildren {
  private struct Child {
    let id: ObjectIdentifier
    private(set) weak var context: ManagedObjectContext?
  }

  private static let lock = Lock()
  // Guarded by the lock.
  private var children: [Child] = []
  private var lazyLog: ChangeLog?

  /// The contexts, except for those that are being deallocated.
  var contexts: [ManagedObjectContext] {
    Self.lock.withLock { children.compactMap(\.context) }
  }

  /// The log of the parent's saves that its children read; nil if none has read one yet.
  var log: ChangeLog? { Self.lock.withLock { lazyLog } }

  /// The log, which is created for the first child that reads it.
  func makeLog() -> ChangeLog {
    Self.lock.withLock {
      let log = lazyLog ?? ChangeLog()
      lazyLog = log
      return log
    }
  }

  func add(_ context: ManagedObjectContext) {
    Self.lock.withLock {
      children.append(Child(id: ObjectIdentifier(context), context: context))
    }
  }

  /// Removes a context that is being deallocated, or gets another parent.
  func remove(_ context: ManagedObjectContext) {
    Self.lock.withLock { children.removeAll { $0.id == ObjectIdentifier(context) } }
  }
}

@available(*, unavailable) extension ContextChildren: Sendable {}
