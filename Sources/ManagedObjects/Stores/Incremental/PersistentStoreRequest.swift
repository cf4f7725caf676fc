/// A request to a custom store.
///
/// Follows Core Data's `NSPersistentStoreRequest`.
public protocol PersistentStoreRequest: Sendable {
  /// The type of the request.
  var requestType: PersistentStoreRequestType { get }
}
