/// A request to a store.
open class NSPersistentStoreRequest {}

@available(*, unavailable) extension NSPersistentStoreRequest: Sendable {}
@available(*, unavailable) extension NSPersistentStoreResult: Sendable {}
