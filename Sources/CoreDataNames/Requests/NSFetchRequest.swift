public import Foundation
public import ManagedObjects

/// A description of the objects to fetch, as a reference type.
///
///     let request = NSFetchRequest<Dog>(entityName: "Dog")
///     request.predicate = NSPredicate(format: "age > %d", 3)
///     request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
///     let dogs = try context.fetch(request)
///
/// Replaces Core Data's class; `fetchRequest` is the library's request.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The name of the entity to fetch.
  public var entityName: String? { entity?.storedName ?? givenEntityName }
  /// The entity to fetch, if it was set.
  public var entity: EntityDescription?
  /// The condition that an object must meet; nil for none.
  public var predicate: NSPredicate?
  /// The sort descriptors, the most significant first.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The maximum number of objects to return; 0 for no limit.
  public var fetchLimit = 0
  /// The number of objects to skip at the start.
  public var fetchOffset = 0
  /// The number of objects whose values one query fetches; 0 for all at once.
  public var fetchBatchSize = 0
  /// The type of result.
  public var resultType = NSFetchRequestResultType.managedObjectResultType
  /// Whether objects of subentities are included.
  public var includesSubentities = true
  /// Whether unsaved changes are taken into account.
  public var includesPendingChanges = true
  /// Whether values are fetched at all.
  public var includesPropertyValues = true
  /// Without effect: objects are returned with their values, which Core Data keeps in its row
  /// cache.
  public var returnsObjectsAsFaults = true
  /// Whether registered objects are refreshed with the stored values.
  public var shouldRefreshRefetchedObjects = false
  /// Whether equal dictionaries are returned once.
  public var returnsDistinctResults = false
  /// Relationships to prefetch, by key path.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The values of each dictionary.
  ///
  /// Each is the name or description of a property, or an expression description.
  public var propertiesToFetch: [Any]?
  /// The names or descriptions of the properties that dictionaries are grouped by.
  public var propertiesToGroupBy: [Any]?
  /// The condition that a group must meet.
  public var havingPredicate: NSPredicate?
  /// The stores to fetch from; nil for all.
  public var affectedStores: [PersistentStore]?

  private let givenEntityName: String?

  /// Creates a request whose entity is set later.
  public override init() { givenEntityName = nil }

  /// Creates a request for all objects of an entity.
  public init(entityName: String) { givenEntityName = entityName }

  /// The library's request.
  ///
  /// - Precondition: the request has an entity; its predicates and sort descriptors were created
  ///   from formats and keys.
  public var fetchRequest: FetchRequest<ManagedObject> {
    guard let entityName else { fatalError("A fetch request needs an entity.") }
    var request = FetchRequest<ManagedObject>(entityName: entityName)
    request.predicate = predicate?.fetchPredicate
    request.sortDescriptors = sortDescriptors?.map(\.fetchSortDescriptor) ?? []
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.includesPropertyValues = includesPropertyValues
    request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    request.returnsDistinctResults = returnsDistinctResults
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching ?? []
    request.propertiesToFetch = propertiesToFetch?.map(Self.column) ?? []
    request.propertiesToGroupBy = propertiesToGroupBy?.map { Self.column($0).name } ?? []
    request.havingPredicate = havingPredicate?.fetchPredicate
    request.affectedStores = affectedStores
    return request
  }

  /// Creates a request from one of the library's.
  convenience init(_ request: FetchRequest<ManagedObject>) {
    self.init(entityName: request.entityName ?? "")
    predicate = request.predicate.map { NSPredicate($0) }
    sortDescriptors = request.sortDescriptors.map { NSSortDescriptor($0) }
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize
    resultType =
      switch request.resultType {
      case .managedObject: .managedObjectResultType
      case .managedObjectID: .managedObjectIDResultType
      case .dictionary: .dictionaryResultType
      case .count: .countResultType
      }
    includesSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
    includesPropertyValues = request.includesPropertyValues
    returnsDistinctResults = request.returnsDistinctResults
  }

  /// A copy of the request, which can be changed on its own.
  ///
  ///     let first = request.copy() as! NSFetchRequest<Dog>
  ///     first.fetchLimit = 1
  open func copy() -> Any {
    let copy: NSFetchRequest<ResultType> = typed()
    return copy
  }

  /// Returns a request for the same objects, of another result type.
  func typed<Other>() -> NSFetchRequest<Other> {
    let request = NSFetchRequest<Other>(entityName: givenEntityName ?? "")
    request.entity = entity
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.resultType = resultType
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.includesPropertyValues = includesPropertyValues
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    request.returnsDistinctResults = returnsDistinctResults
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    request.propertiesToFetch = propertiesToFetch
    request.propertiesToGroupBy = propertiesToGroupBy
    request.havingPredicate = havingPredicate
    request.affectedStores = affectedStores
    return request
  }

  private static func column(_ property: Any) -> ExpressionDescription {
    switch property {
    case let name as String: ExpressionDescription(stringLiteral: name)
    case let description as NSExpressionDescription: description.expressionDescription
    case let property as PropertyDescription: ExpressionDescription(stringLiteral: property.name)
    case let attribute as AttributeDescription:
      ExpressionDescription(stringLiteral: attribute.name)
    case let relationship as RelationshipDescription:
      ExpressionDescription(stringLiteral: relationship.name)
    default: fatalError("A fetch of dictionaries cannot contain \(property).")
    }
  }
}

extension ManagedObject {
  /// A request for all objects of this class's entity, as in Core Data.
  ///
  ///     let all: NSFetchRequest<NSFetchRequestResult> = Dog.fetchRequest()
  ///
  /// Without a type annotation, the class's own method is called, which momc generates.
  ///
  /// - Precondition: as of `entity()`.
  @_disfavoredOverload public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult>
  {
    NSFetchRequest(entityName: entity().storedName)
  }
}
