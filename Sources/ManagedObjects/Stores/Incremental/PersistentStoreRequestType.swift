/// The types of requests, with Core Data's raw values.
public enum PersistentStoreRequestType: Int, Sendable {
  /// A ``StoreFetchRequest``.
  case fetch = 1
  /// A ``SaveChangesRequest``.
  case save = 2
}
