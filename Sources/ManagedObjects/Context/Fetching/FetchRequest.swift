public import DataModel

/// A question to the store: which objects of an entity, in which order.
///
///     var request = Walk.fetchRequest()
///     request.predicate = .comparison("duration", .greaterThan, .double(1800))
///     request.sortDescriptors = [.init(key: "date", ascending: false)]
///     let walks = try context.fetch(request)
///
/// A value: changing a copy leaves the other as it was. Follows Core Data's `NSFetchRequest`.
public struct FetchRequest<Result: ManagedObject>: Sendable {
  /// The condition that an object must meet.
  public typealias Predicate = FetchPredicate
  /// A property to sort by.
  public typealias SortDescriptor = FetchSortDescriptor

  /// The entity asked for; nil for the one whose class is `Result`.
  public var entityName: String? {
    didSet { if entityName != entity?.name { entity = nil } }
  }
  /// The entity asked for, where it was set as a description; setting it sets the name.
  ///
  ///     request.entity = model.entitiesByName["Walk"]   // request.entityName is "Walk"
  public var entity: EntityDescription? {
    didSet { if let entity, entityName != entity.name { entityName = entity.name } }
  }
  /// The condition that an object must meet; nil for none.
  public var predicate: Predicate?
  /// What to sort by, the most significant first; objects that are equal come by primary key.
  ///
  /// So do all where this is empty, whichever index they are found by. Where a limit or an offset
  /// picks some of them, an indexed attribute that the predicate bounds (`date > …`) comes before
  /// the key. A cursor without anything to sort by gives the rows as the store finds them.
  public var sortDescriptors: [SortDescriptor] = []
  /// The most objects to give; 0 for no bound.
  public var fetchLimit = 0
  /// How many objects to leave out at the start.
  public var fetchOffset = 0
  /// Whether objects of subentities are asked for too.
  public var includesSubentities = true
  /// Whether changes that are not saved yet count; true unless set otherwise.
  public var includesPendingChanges = true
  /// How many objects get their values with one query; 0 for all at once.
  ///
  /// The result is complete, but its objects are faults: the first batch is read at once, each
  /// further one when a value of one of its objects is. A batch with objects of several stores is
  /// one query to each. Where anything is unsaved and counts, all values are read at once.
  public var fetchBatchSize = 0
  /// Whether values are fetched at all; otherwise objects that are new to the context are faults.
  public var includesPropertyValues = true
  /// Whether objects that are new to the context are to be faults; false unless set otherwise.
  ///
  /// Nothing keeps rows between a store and a context here, so a fault has to be read again. That
  /// is why this is false, other than in Core Data, and says the same as `includesPropertyValues`.
  public var returnsObjectsAsFaults = false
  /// Whether objects that are known already take over what is stored now, under what was changed
  /// here; false unless set otherwise.
  ///
  ///     request.shouldRefreshRefetchedObjects = true   // what others saved meanwhile is seen
  ///
  /// As `refresh(_:mergeChanges:)` does with `true`, for all objects of the result at once: one
  /// query more for each family of entities. Follows Core Data's property of that name.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships to fetch along, by name, or by key paths through relationships: `dog.walks`.
  ///
  ///     request.relationshipKeyPathsForPrefetching = ["walks", "walks.photos"]
  ///
  /// One query for each relationship on the way, not one for each object. Members of to-manys are
  /// held by their owners; what to-ones lead to is held by the context until its next fetch that
  /// prefetches, or until it is reset.
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// What `execute(_:)` gives; `fetch(_:)`, `fetchIDs(_:)` and the others say it themselves.
  public var resultType = FetchRequestDescription.ResultType.managedObject
  /// The values of each dictionary, none for all properties; objects come with all of theirs.
  public var propertiesToFetch: [ExpressionDescription] = []
  /// The properties, or key paths through to-ones, whose values make a group of a dictionary's
  /// rows.
  public var propertiesToGroupBy: [String] = []
  /// The condition that a dictionary must meet, in terms of its keys, also as variables, and of
  /// other properties; nil for none.
  public var havingPredicate: Predicate?
  /// Whether equal dictionaries come once.
  public var returnsDistinctResults = false
  /// The stores that are asked; nil for all of the coordinator's.
  public var affectedStores: [PersistentStore]?

  /// Creates a request for all objects of an entity.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

/// A managed object class that can be asked for; every one can.
public protocol Fetchable: ManagedObject {}

extension Fetchable {
  /// A request for all objects of this class's entity, subentities included.
  ///
  ///     let walks = try context.fetch(Walk.fetchRequest())
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}

extension ManagedObject: Fetchable {}
