/// Which store an object ID speaks of.
final class PersistentStoreIdentity: Sendable {
  /// The store's UUID in upper case: the host of its objects' URIs.
  let identifier: String

  init(identifier: String) { self.identifier = identifier }
}
