/// A fetch request in a model, with its predicate as text.
///
///     FetchRequestDescription(entityName: "Walk", predicateFormat: "dog.name == $NAME")
///
/// A template of the model, or the request of a fetched property. The predicate is text here, since
/// predicates are implemented in another module; `$NAME` is a variable whose value is set later.
/// Follows Core Data's `NSFetchRequest`.
public struct FetchRequestDescription: Sendable, Hashable {
  /// The type of a fetch's result.
  public enum ResultType: Int, Sendable, Hashable, CaseIterable {
    /// Objects.
    case managedObject = 0
    /// Their IDs.
    case managedObjectID = 1
    /// Values by name.
    case dictionary = 2
    /// The number of objects.
    case count = 4
  }

  /// The name of the entity to fetch.
  public var entityName: String
  /// The condition that an object must meet, as a predicate format, or nil for all.
  ///
  ///     request.predicateFormat = "dog.name == $NAME AND duration > 1800"
  public var predicateFormat: String?
  /// The maximum number of objects to return; 0 for no limit.
  public var fetchLimit: Int
  /// The number of objects whose values are fetched at a time; 0 for all.
  public var fetchBatchSize: Int
  /// The type of the result.
  public var resultType: ResultType
  /// Whether objects of subentities are included.
  public var includesSubentities: Bool
  /// Whether values are fetched with the objects.
  public var includesPropertyValues: Bool
  /// Whether unsaved changes are taken into account.
  public var includesPendingChanges: Bool
  /// Whether objects are returned as faults.
  public var returnsObjectsAsFaults: Bool
  /// Whether equal results are returned once.
  public var returnsDistinctResults: Bool

  /// Creates a fetch request; all but its entity has Core Data's defaults.
  public init(
    entityName: String,
    predicateFormat: String? = nil,
    fetchLimit: Int = 0,
    fetchBatchSize: Int = 0,
    resultType: ResultType = .managedObject,
    includesSubentities: Bool = true,
    includesPropertyValues: Bool = true,
    includesPendingChanges: Bool = true,
    returnsObjectsAsFaults: Bool = true,
    returnsDistinctResults: Bool = false
  ) {
    self.entityName = entityName
    self.predicateFormat = predicateFormat
    self.fetchLimit = fetchLimit
    self.fetchBatchSize = fetchBatchSize
    self.resultType = resultType
    self.includesSubentities = includesSubentities
    self.includesPropertyValues = includesPropertyValues
    self.includesPendingChanges = includesPendingChanges
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.returnsDistinctResults = returnsDistinctResults
  }
}
