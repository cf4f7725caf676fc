/// What a store of a program's own is asked to do.
///
/// Follows Core Data's `NSPersistentStoreRequest`.
public protocol PersistentStoreRequest: Sendable {
  /// What kind of request it is.
  var requestType: PersistentStoreRequestType { get }
}

/// The kinds of requests, with Core Data's numbers.
public enum PersistentStoreRequestType: Int, Sendable {
  /// A ``StoreFetchRequest``.
  case fetch = 1
  /// A ``SaveChangesRequest``.
  case save = 2
}
