/// A fetch request as a model carries it: what to look for, as text.
///
///     FetchRequestDescription(entityName: "Walk", predicateFormat: "dog.name == $NAME")
///
/// A template of the model, or what a fetched property looks for. The predicate is text here, since
/// predicates are the context's matter; `$NAME` stands for a value that is given later. Follows
/// Core Data's `NSFetchRequest`.
public struct FetchRequestDescription: Sendable, Hashable {
  /// What a fetch hands out.
  public enum ResultType: Int, Sendable, Hashable, CaseIterable {
    /// Objects.
    case managedObject = 0
    /// Their IDs.
    case managedObjectID = 1
    /// Values by name.
    case dictionary = 2
    /// How many there are.
    case count = 4
  }

  /// The name of the entity whose objects are looked for.
  public var entityName: String
  /// What is said of them, in the format of predicates, or nil for all.
  ///
  ///     request.predicateFormat = "dog.name == $NAME AND duration > 1800"
  public var predicateFormat: String?
  /// The most objects to hand out; 0 for no bound.
  public var fetchLimit: Int
  /// How many objects to read at a time; 0 for all.
  public var fetchBatchSize: Int
  /// What is handed out.
  public var resultType: ResultType
  /// Whether objects of subentities are looked for too.
  public var includesSubentities: Bool
  /// Whether the values are read along with the objects.
  public var includesPropertyValues: Bool
  /// Whether changes that are not saved count.
  public var includesPendingChanges: Bool
  /// Whether objects come without their values until one is read.
  public var returnsObjectsAsFaults: Bool
  /// Whether equal results are handed out once.
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
