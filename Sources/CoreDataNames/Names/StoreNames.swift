// Kinds and options of stores, as Core Data's Objective-C constants spell them.

/// The kind of stores that are SQLite files.
public let NSSQLiteStoreType = "SQLite"
/// The kind of stores in memory.
public let NSInMemoryStoreType = "InMemory"
/// The kind of stores that are XML documents.
public let NSXMLStoreType = "XML"
/// The kind of stores that are binary documents.
public let NSBinaryStoreType = "Binary"

/// The option that has a store of another version migrated.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option that has a mapping inferred.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option that has a store only read.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option of how long to wait for other processes, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite's pragmas.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option that has a store analysed.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option that has a store vacuumed.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option that has a store opened whatever version its metadata tell.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option that has a history kept.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option that has `NSPersistentStoreRemoteChange` posted.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The option that has a file destroyed that cannot be read.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option of a file's protection; there is none here, and it is passed over.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
