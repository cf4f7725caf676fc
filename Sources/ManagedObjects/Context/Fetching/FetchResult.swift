/// The result of a request whose result type is only known at run time.
public enum FetchResult<Result: ManagedObject> {
  /// Objects, as `fetch(_:)` returns them.
  case objects([Result])
  /// IDs, as `fetchIDs(_:)` returns them.
  case objectIDs([ManagedObjectID])
  /// Dictionaries, as `fetchDictionaries(_:)` returns them.
  case dictionaries([[String: AttributeValue]])
  /// The number of objects, as `count(for:)` returns it.
  case count(Int)
}
