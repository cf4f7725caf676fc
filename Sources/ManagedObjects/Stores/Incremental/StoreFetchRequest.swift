public import DataModel

/// A fetch, as an ``IncrementalStore`` is asked for it.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
///         .nodes(try Disk.nodes(of: request.entity, in: self))   // the library picks and sorts
///       }
///     }
///
/// A store that can do more by itself says so with its result (``Parts``). Stands for the
/// `NSFetchRequest` that Core Data hands over.
public struct StoreFetchRequest: PersistentStoreRequest {
  /// The parts of a request that either the store does, or the library.
  public struct Parts: OptionSet, Sendable {
    /// A bit a part.
    public let rawValue: Int
    /// Parts by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Only objects that meet the predicate are given.
    public static let predicate = Parts(rawValue: 1)
    /// They come in the order of the sort descriptors.
    public static let sortDescriptors = Parts(rawValue: 2)
    /// Those before the offset and behind the limit are left out; counts only beside the other two,
    /// where the request has a predicate or sort descriptors.
    public static let range = Parts(rawValue: 4)
    /// All of these.
    public static let all: Parts = [.predicate, .sortDescriptors, .range]
  }

  /// The entity of the objects.
  public let entity: EntityDescription
  /// Whether objects of subentities are asked for too; those that are not are left out by the
  /// library.
  public var includesSubentities = true
  /// The condition that an object must meet; nil for none, or for one that only the library can
  /// tell.
  public var predicate: FetchPredicate?
  /// What to sort by, the most significant first.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The most objects to give; 0 for no bound.
  public var fetchLimit = 0
  /// How many objects to leave out at the start.
  public var fetchOffset = 0
  /// What is wanted; objects serve for everything.
  public var resultType = FetchRequestDescription.ResultType.managedObject
  /// The values of each dictionary; none for all properties.
  public var propertiesToFetch: [ExpressionDescription] = []
  /// The properties whose values make a group of a dictionary's rows.
  public var propertiesToGroupBy: [String] = []
  /// The condition that a dictionary must meet; nil for none.
  public var havingPredicate: FetchPredicate?
  /// Whether equal dictionaries come once.
  public var returnsDistinctResults = false

  /// A fetch.
  public var requestType: PersistentStoreRequestType { .fetch }

  init(entity: EntityDescription) { self.entity = entity }
}

/// What an ``IncrementalStore`` gives for a fetch.
///
/// Whatever is asked for, nodes or IDs will do: the library counts them, and makes dictionaries of
/// them. Their order is kept where the request has no sort descriptors.
public enum StoreFetchResult: Sendable {
  /// Objects with their values, which need not be asked for then.
  case nodes([IncrementalStoreNode], applied: StoreFetchRequest.Parts = [])
  /// Objects whose values are asked for when they are needed (`newValues(forObjectWith:)`).
  case objectIDs([ManagedObjectID], applied: StoreFetchRequest.Parts = [])
  /// How many there are, where that is wanted; the store did all parts of the request.
  case count(Int)
  /// Dictionaries, where those are wanted; the store did all parts of the request.
  case dictionaries([[String: AttributeValue]])
}
