import Synchronization

/// Which store an object ID speaks of.
final class PersistentStoreIdentity: Sendable {
  /// The store's UUID in upper case: the host of its objects' URIs.
  ///
  /// Set once at the latest when the store is opened, before anybody else has it.
  nonisolated(unsafe) private(set) var identifier: String
  /// The reference objects of a store of a program's own; nil where primary keys are the store's.
  let references: ReferenceTable?
  /// Whether the store is asked for what is needed, and told who is registered.
  var isIncremental: Bool { references?.isIncremental == true }
  private let wasRemoved = Atomic(false)

  init(identifier: String) {
    self.identifier = identifier
    references = nil
  }

  /// The identity of a store that says while it is opened who it is.
  init(references: ReferenceTable) {
    identifier = ""
    self.references = references
  }

  func settle(_ identifier: String) { self.identifier = identifier }

  /// A key as the URIs of objects have it.
  func text(of key: Int64) -> String { references?[key]?.reference.escaped ?? "\(key)" }

  /// Whether the store has left its coordinator; it never comes back.
  var isRemoved: Bool { wasRemoved.load(ordering: .acquiring) }

  func noteRemoval() { wasRemoved.store(true, ordering: .releasing) }
}
