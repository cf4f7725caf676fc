/// The result of a batch request.
open class NSPersistentStoreResult {}
