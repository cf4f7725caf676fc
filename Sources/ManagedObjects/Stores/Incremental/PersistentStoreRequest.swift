/// A request to a custom store.
///
/// Follows Core Data's `NSPersistentStoreRequest`.
public protocol PersistentStoreRequest: Sendable {
  /// The type of the request.
  var requestType: PersistentStoreRequestType { get }
}

/// The types of requests, with Core Data's raw values.
public enum PersistentStoreRequestType: Int, Sendable {
  /// A ``StoreFetchRequest``.
  case fetch = 1
  /// A ``SaveChangesRequest``.
  case save = 2
}
