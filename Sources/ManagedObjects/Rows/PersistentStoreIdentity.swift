import Synchronization

/// Which store an object ID speaks of.
final class PersistentStoreIdentity: Sendable {
  /// The store's UUID in upper case: the host of its objects' URIs.
  let identifier: String
  private let wasRemoved = Atomic(false)

  init(identifier: String) { self.identifier = identifier }

  /// Whether the store has left its coordinator; it never comes back.
  var isRemoved: Bool { wasRemoved.load(ordering: .acquiring) }

  func noteRemoval() { wasRemoved.store(true, ordering: .releasing) }
}
