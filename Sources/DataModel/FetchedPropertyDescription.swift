/// A fetched property of an entity: for each object, the objects that a fetch request matches.
///
///     FetchedPropertyDescription(
///       name: "longWalks",
///       fetchRequest: FetchRequestDescription(
///         entityName: "Walk", predicateFormat: "dog == $FETCH_SOURCE AND duration > 3600"))
///
/// In the predicate `$FETCH_SOURCE` is the object whose property it is, and `$FETCHED_PROPERTY` the
/// property. Follows Core Data's `NSFetchedPropertyDescription`.
public struct FetchedPropertyDescription: Sendable, Hashable {
  /// The property's name, unique in its entity.
  public var name: String
  /// Whether an object may be saved when the fetch has no results.
  public var isOptional: Bool
  /// The request for the objects.
  public var fetchRequest: FetchRequestDescription
  /// The property's name in the previous model version, or nil for the same.
  public var renamingIdentifier: String?
  /// The user info of the property.
  public var userInfo: [String: String]

  /// Creates a fetched property.
  public init(
    name: String,
    isOptional: Bool = false,
    fetchRequest: FetchRequestDescription,
    renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.isOptional = isOptional
    self.fetchRequest = fetchRequest
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
