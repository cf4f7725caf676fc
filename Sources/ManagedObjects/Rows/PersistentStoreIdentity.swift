import Synchronization

/// The identity of a store, as object IDs refer to it.
final class PersistentStoreIdentity: Sendable {
  /// The store's UUID in upper case: the host of its objects' URIs.
  ///
  /// Set at most once while the store is opened, before any other thread can access it.
  nonisolated(unsafe) private(set) var identifier: String
  /// The reference objects of a custom store; nil for a store that assigns primary keys.
  let references: ReferenceTable?
  /// Whether the store is an ``IncrementalStore``: asked for values on demand and notified of
  /// registrations.
  var isIncremental: Bool { references?.isIncremental == true }
  private let wasRemoved = Atomic(false)

  init(identifier: String) {
    self.identifier = identifier
    references = nil
  }

  /// Creates the identity of a store whose identifier is read while it is opened.
  init(references: ReferenceTable) {
    identifier = ""
    self.references = references
  }

  /// Sets the identifier once it has been read.
  func take(_ identifier: String) { self.identifier = identifier }

  /// The text that stands for a key in the URIs of objects.
  func text(of key: Int64) -> String { references?[key]?.reference.escaped ?? "\(key)" }

  /// Whether the store was removed from its coordinator; it is never added again.
  var isRemoved: Bool { wasRemoved.load(ordering: .acquiring) }

  func noteRemoval() { wasRemoved.store(true, ordering: .releasing) }
}
