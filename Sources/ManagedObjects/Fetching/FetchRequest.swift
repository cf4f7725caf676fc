/// A question to the store: which objects of an entity, in which order.
///
///     let request = Walk.fetchRequest()
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
  public var entityName: String?
  /// The condition that an object must meet; nil for none.
  public var predicate: Predicate?
  /// What to sort by, the most significant first; objects that are equal come by primary key.
  public var sortDescriptors: [SortDescriptor] = []
  /// The most objects to give; 0 for no bound.
  public var fetchLimit = 0
  /// How many objects to leave out at the start.
  public var fetchOffset = 0
  /// Whether objects of subentities are asked for too.
  public var includesSubentities = true
  /// Whether changes that are not saved yet count; true unless set otherwise.
  public var includesPendingChanges = true

  /// Creates a request for all objects of an entity.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

/// A property to sort fetched objects by.
///
///     FetchSortDescriptor(key: "date", ascending: false)
///
/// nil stands before every value. Texts compare by their UTF-8 bytes.
public struct FetchSortDescriptor: Sendable, Hashable {
  /// The name of an attribute, or a key path through to-ones that ends in one: `dog.name`.
  public var key: String
  /// Whether small values stand first.
  public var ascending: Bool

  /// Creates a sort descriptor.
  public init(key: String, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
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
