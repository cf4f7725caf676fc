public import DataModel
public import ManagedObjects

// Types with the same members as the ones without the prefix NS.

/// Core Data's name of `ManagedObject`.
public typealias NSManagedObject = ManagedObject
/// Core Data's name of `ManagedObjectID`.
public typealias NSManagedObjectID = ManagedObjectID
/// Core Data's name of `ManagedObjectContext`.
public typealias NSManagedObjectContext = ManagedObjectContext
/// Core Data's name of `ManagedObjectModel`.
public typealias NSManagedObjectModel = ManagedObjectModel
/// Core Data's name of `PersistentStoreCoordinator`.
public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator
/// Core Data's name of `PersistentStore`.
public typealias NSPersistentStore = PersistentStore
/// Core Data's name of `EntityDescription`, a value here.
public typealias NSEntityDescription = EntityDescription
/// Core Data's name of `AttributeDescription`, a value here.
public typealias NSAttributeDescription = AttributeDescription
/// Core Data's name of `RelationshipDescription`, a value here.
public typealias NSRelationshipDescription = RelationshipDescription
/// Core Data's name of `MergeConflict`.
public typealias NSMergeConflict = MergeConflict
/// Core Data's name of `ConstraintConflict`.
public typealias NSConstraintConflict = ConstraintConflict
/// Core Data's name of `SnapshotEventType`.
public typealias NSSnapshotEventType = SnapshotEventType
/// Core Data's name of `MappingModel`, a value here.
public typealias NSMappingModel = MappingModel
/// Core Data's name of `EntityMapping`, a value here.
public typealias NSEntityMapping = EntityMapping
/// Core Data's name of `PropertyMapping`, a value here.
public typealias NSPropertyMapping = PropertyMapping
/// Core Data's name of `MigrationManager`.
public typealias NSMigrationManager = MigrationManager
/// Core Data's name of `EntityMigrationPolicy`.
public typealias NSEntityMigrationPolicy = EntityMigrationPolicy
/// Core Data's name of `PersistentHistoryToken`.
public typealias NSPersistentHistoryToken = PersistentHistoryToken
/// Core Data's name of `PersistentHistoryTransaction`.
public typealias NSPersistentHistoryTransaction = PersistentHistoryTransaction
/// Core Data's name of `PersistentHistoryChange`.
public typealias NSPersistentHistoryChange = PersistentHistoryChange
/// Core Data's name of `PersistentHistoryChangeType`.
public typealias NSPersistentHistoryChangeType = PersistentHistoryChangeType
/// Core Data's name of `PropertyDescription`, a value here.
public typealias NSPropertyDescription = PropertyDescription
/// Core Data's name of `FetchedPropertyDescription`, a value here.
public typealias NSFetchedPropertyDescription = FetchedPropertyDescription
/// Core Data's name of `FetchIndexDescription`, a value here.
public typealias NSFetchIndexDescription = FetchIndexDescription
/// Core Data's name of `RelationshipDescription.DeleteRule`.
public typealias NSDeleteRule = RelationshipDescription.DeleteRule

extension RelationshipDescription.DeleteRule {
  /// Core Data's name of `noAction`.
  public static let noActionDeleteRule = Self.noAction
  /// Core Data's name of `nullify`.
  public static let nullifyDeleteRule = Self.nullify
  /// Core Data's name of `cascade`.
  public static let cascadeDeleteRule = Self.cascade
  /// Core Data's name of `deny`.
  public static let denyDeleteRule = Self.deny
}
/// Core Data's name of `StagedMigrationManager`.
public typealias NSStagedMigrationManager = StagedMigrationManager
/// Core Data's name of `AtomicStore`.
public typealias NSAtomicStore = AtomicStore
/// Core Data's name of `AtomicStoreCacheNode`.
public typealias NSAtomicStoreCacheNode = AtomicStoreCacheNode
/// Core Data's name of `IncrementalStore`.
public typealias NSIncrementalStore = IncrementalStore
/// Core Data's name of `IncrementalStoreNode`, a value here.
public typealias NSIncrementalStoreNode = IncrementalStoreNode
/// Core Data's name of `SaveChangesRequest`, a value here.
public typealias NSSaveChangesRequest = SaveChangesRequest
/// The undo manager of contexts, rather than Foundation's.
public typealias UndoManager = ContextUndoManager
