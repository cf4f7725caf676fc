public import Foundation
public import ManagedObjects

/// A question to the store, as a reference: which objects of an entity, in which order.
///
///     let request = NSFetchRequest<Dog>(entityName: "Dog")
///     request.predicate = NSPredicate(format: "age > %d", 3)
///     request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
///     let dogs = try context.fetch(request)
///
/// Stands for Core Data's class; `fetchRequest` is what the library is asked.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The entity asked for, by its name.
  public var entityName: String? { entity?.storedName ?? givenEntityName }
  /// The entity asked for, where it was set.
  public var entity: EntityDescription?
  /// The condition that an object must meet; nil for none.
  public var predicate: NSPredicate?
  /// What to sort by, the most significant first.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The most objects to give; 0 for no bound.
  public var fetchLimit = 0
  /// How many objects to leave out at the start.
  public var fetchOffset = 0
  /// How many objects get their values with one query; 0 for all at once.
  public var fetchBatchSize = 0
  /// What the request gives.
  public var resultType = NSFetchRequestResultType.managedObjectResultType
  /// Whether objects of subentities are asked for too.
  public var includesSubentities = true
  /// Whether changes that are not saved yet count.
  public var includesPendingChanges = true
  /// Whether values are fetched at all.
  public var includesPropertyValues = true
  /// Without effect: objects come with their values, which Core Data keeps beside its faults.
  public var returnsObjectsAsFaults = true
  /// Whether objects that are known already take over what is stored now.
  public var shouldRefreshRefetchedObjects = false
  /// Whether equal dictionaries come once.
  public var returnsDistinctResults = false
  /// Relationships to fetch along, by key paths.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The values of each dictionary: names or descriptions of properties, or expression
  /// descriptions.
  public var propertiesToFetch: [Any]?
  /// The names or descriptions of the properties whose values make a group of a dictionary's rows.
  public var propertiesToGroupBy: [Any]?
  /// The condition that a dictionary must meet.
  public var havingPredicate: NSPredicate?
  /// The stores that are asked; nil for all.
  public var affectedStores: [PersistentStore]?

  private let givenEntityName: String?

  /// Creates a request whose entity is still to be set.
  public override init() { givenEntityName = nil }

  /// Creates a request for all objects of an entity.
  public init(entityName: String) { givenEntityName = entityName }

  /// What the library is asked.
  ///
  /// - Precondition: the request has an entity; its predicates and sort descriptors were made of
  ///   formats and keys.
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

  private static func column(_ property: Any) -> ExpressionDescription {
    switch property {
    case let name as String: ExpressionDescription(stringLiteral: name)
    case let description as NSExpressionDescription: description.expressionDescription
    case let property as PropertyDescription: ExpressionDescription(stringLiteral: property.name)
    case let attribute as AttributeDescription:
      ExpressionDescription(stringLiteral: attribute.name)
    case let relationship as RelationshipDescription:
      ExpressionDescription(stringLiteral: relationship.name)
    default: fatalError("A dictionary has no \(property) to fetch.")
    }
  }
}

extension ManagedObject {
  /// A request for all objects of this class's entity, as Core Data's class has it.
  ///
  ///     let all: NSFetchRequest<NSFetchRequestResult> = Dog.fetchRequest()
  ///
  /// Where no type is asked for, it is the class's own, which momc writes.
  ///
  /// - Precondition: as of `entity()`.
  @_disfavoredOverload public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult>
  {
    NSFetchRequest(entityName: entity().storedName)
  }
}
