/// A fetch that an ``IncrementalStore`` must execute.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
///         .nodes(try Disk.nodes(of: request.entity, in: self))   // the library picks and sorts
///       }
///     }
///
/// A store that does more itself declares that in its result (``Parts``). Corresponds to the
/// `NSFetchRequest` that Core Data passes.
public struct StoreFetchRequest: PersistentStoreRequest {
  /// The parts of a request that either the store or the library applies.
  public struct Parts: OptionSet, Sendable {
    /// A bit for each part.
    public let rawValue: Int
    /// Creates a set of parts from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The result contains only objects that match the predicate.
    public static let predicate = Parts(rawValue: 1)
    /// The result is sorted by the sort descriptors.
    public static let sortDescriptors = Parts(rawValue: 2)
    /// The result excludes objects before the offset and after the limit.
    ///
    /// Valid only together with the other two, if the request has a predicate or sort descriptors.
    public static let range = Parts(rawValue: 4)
    /// All parts.
    public static let all: Parts = [.predicate, .sortDescriptors, .range]
  }

  /// The entity of the objects.
  public let entity: EntityDescription
  /// Whether objects of subentities are included; if not, the library filters them out.
  public var includesSubentities = true
  /// The predicate; nil for none, or for one that only the library can evaluate.
  public var predicate: FetchPredicate?
  /// The sort descriptors, the most significant first.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The maximum number of objects to return; 0 for no limit.
  public var fetchLimit = 0
  /// The number of objects to skip at the start.
  public var fetchOffset = 0
  /// The requested result type; objects are accepted for every type.
  public var resultType = FetchRequestDescription.ResultType.managedObject
  /// The values of each dictionary; empty for all properties.
  public var propertiesToFetch: [ExpressionDescription] = []
  /// The properties by which rows are grouped into dictionaries.
  public var propertiesToGroupBy: [String] = []
  /// The predicate for grouped dictionaries; nil for none.
  public var havingPredicate: FetchPredicate?
  /// Whether duplicate dictionaries are removed.
  public var returnsDistinctResults = false

  /// The type of the request: a fetch.
  public var requestType: PersistentStoreRequestType { .fetch }

  init(entity: EntityDescription) { self.entity = entity }
}
