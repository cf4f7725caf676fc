/// The result of a fetch from an ``IncrementalStore``.
///
/// Nodes or IDs are accepted for every result type: the library counts them or creates dictionaries
/// from them. Their order is kept if the request has no sort descriptors.
public enum StoreFetchResult: Sendable {
  /// Objects with their values, which are then not requested separately.
  case nodes([IncrementalStoreNode], applied: StoreFetchRequest.Parts = [])
  /// Objects whose values are requested on demand (`newValues(forObjectWith:)`).
  case objectIDs([ManagedObjectID], applied: StoreFetchRequest.Parts = [])
  /// The number of objects, if that was requested; the store has applied all parts of the request.
  case count(Int)
  /// Dictionaries, if those were requested; the store has applied all parts of the request.
  case dictionaries([[String: AttributeValue]])
}
