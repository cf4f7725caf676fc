/// What can be asked of a store.
open class NSPersistentStoreRequest {}

/// What a store answers to a batch request.
open class NSPersistentStoreResult {}

@available(*, unavailable) extension NSPersistentStoreRequest: Sendable {}
@available(*, unavailable) extension NSPersistentStoreResult: Sendable {}
