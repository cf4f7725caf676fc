/// A description of the objects to fetch: their entity, a condition, and an order.
///
///     var request = Walk.fetchRequest()
///     request.predicate = .comparison("duration", .greaterThan, .double(1800))
///     request.sortDescriptors = [.init(key: "date", ascending: false)]
///     let walks = try context.fetch(request)
///
/// A value: changing a copy leaves the original unchanged. Follows Core Data's `NSFetchRequest`.
public struct FetchRequest<Result: ManagedObject>: Sendable {
  /// The condition that an object must meet.
  public typealias Predicate = FetchPredicate
  /// A property to sort by.
  public typealias SortDescriptor = FetchSortDescriptor

  /// The name of the entity to fetch; nil for the one whose class is `Result`.
  public var entityName: String? {
    didSet { if entityName != entity?.name { entity = nil } }
  }
  /// The entity to fetch, if it was set as a description; setting it sets the name.
  ///
  ///     request.entity = model.entitiesByName["Walk"]   // request.entityName is "Walk"
  public var entity: EntityDescription? {
    didSet { if let entity, entityName != entity.name { entityName = entity.name } }
  }
  /// The condition that an object must meet; nil for none.
  public var predicate: Predicate?
  /// The sort descriptors, the most significant first; equal objects are sorted by primary key.
  ///
  /// Without sort descriptors all objects are sorted by primary key, whichever index is used. If a
  /// limit or an offset applies, an indexed attribute that the predicate bounds (`date > …`) takes
  /// precedence over the key. A cursor without sort descriptors returns the rows in the order in
  /// which the store finds them.
  public var sortDescriptors: [SortDescriptor] = []
  /// The maximum number of objects to return; 0 for no limit.
  public var fetchLimit = 0
  /// The number of objects to skip at the start.
  public var fetchOffset = 0
  /// Whether objects of subentities are included.
  public var includesSubentities = true
  /// Whether unsaved changes are taken into account; true by default.
  public var includesPendingChanges = true
  /// The number of objects whose values one query fetches; 0 for all at once.
  ///
  /// The result is complete, but its objects are faults: the first batch is read at once, each
  /// further one when a value of one of its objects is. A batch with objects of several stores
  /// takes one query to each. If unsaved changes are taken into account, all values are read at
  /// once.
  public var fetchBatchSize = 0
  /// Whether values are fetched at all; otherwise objects that were not registered become faults.
  public var includesPropertyValues = true
  /// Whether objects that were not registered become faults; false by default.
  ///
  /// No row cache lies between a store and a context here, so a fault has to be read again. That is
  /// why this is false, unlike in Core Data; setting it has the same effect as clearing
  /// `includesPropertyValues`.
  public var returnsObjectsAsFaults = false
  /// Whether registered objects are refreshed with the stored values; false by default.
  ///
  ///     request.shouldRefreshRefetchedObjects = true   // includes what others have saved
  ///
  /// Unsaved changes are kept, as by `refresh(_:mergeChanges:)` with `true`, for all objects of the
  /// result at once: one more query for each entity hierarchy. Follows Core Data's property of that
  /// name.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships to prefetch, by name or by key path: `dog.walks`.
  ///
  ///     request.relationshipKeyPathsForPrefetching = ["walks", "walks.photos"]
  ///
  /// One query for each relationship on the path, not one for each object. Members of to-manys are
  /// retained by their owners; destinations of to-ones are retained by the context until its next
  /// fetch that prefetches, or until it is reset.
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// The type of result of `execute(_:)`; methods such as `fetch(_:)` and `fetchIDs(_:)` ignore it.
  public var resultType = FetchRequestDescription.ResultType.managedObject
  /// The values of each dictionary, empty for all properties; objects always have all of theirs.
  public var propertiesToFetch: [ExpressionDescription] = []
  /// The properties, or key paths through to-ones, that dictionaries are grouped by.
  public var propertiesToGroupBy: [String] = []
  /// The condition that a group must meet; nil for none.
  ///
  /// It may refer to the dictionary's keys, also as variables, and to other properties.
  public var havingPredicate: Predicate?
  /// Whether equal dictionaries are returned once.
  public var returnsDistinctResults = false
  /// The stores to fetch from; nil for all of the coordinator's.
  public var affectedStores: [PersistentStore]?

  /// Creates a request for all objects of an entity.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

extension ManagedObject: Fetchable {}
