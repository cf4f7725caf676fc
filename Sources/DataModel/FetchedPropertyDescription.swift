/// A fetched property of an entity: the objects that a fetch request finds for each of its own.
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
  /// Whether an object may be saved when nothing is found.
  public var isOptional: Bool
  /// What finds the objects.
  public var fetchRequest: FetchRequestDescription
  /// The name under which the previous model version knew the property, or nil for the same.
  public var renamingIdentifier: String?
  /// Whatever the developer noted about the property.
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
