/// A request to a store.
open class NSPersistentStoreRequest {}

/// The result of a batch request.
open class NSPersistentStoreResult {}

@available(*, unavailable) extension NSPersistentStoreRequest: Sendable {}
@available(*, unavailable) extension NSPersistentStoreResult: Sendable {}
