// The store types and options, as Core Data's Objective-C constants spell them.

/// The store type of SQLite files.
public let NSSQLiteStoreType = "SQLite"
/// The store type of in-memory stores.
public let NSInMemoryStoreType = "InMemory"
/// The store type of XML documents.
public let NSXMLStoreType = "XML"
/// The store type of binary documents.
public let NSBinaryStoreType = "Binary"

/// The option to migrate a store of another version.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option to infer a mapping.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option to open a store as read-only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option for how long to wait for locks of other processes, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite's pragmas.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option to analyse a store.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option to vacuum a store.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option to open a store regardless of the version in its metadata.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option to keep a persistent history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option to post `NSPersistentStoreRemoteChange`.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The option to destroy a file that cannot be read.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option for a file's protection, which does not exist here; it is ignored.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
