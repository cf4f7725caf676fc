import SystemLibraries

extension PersistentContainer {
  /// Runs a body with a context of its own, off the caller's thread.
  ///
  ///     let count = try await container.performBackgroundTask { context in
  ///       for line in lines { Walk(context: context).note = line }
  ///       try context.save()
  ///       return lines.count
  ///     }
  ///
  /// The context and its objects cannot leave the body, which the compiler checks: return IDs. The
  /// context is deallocated after the body, and unsaved changes are discarded. Several may run at
  /// once. Follows Core Data's `performBackgroundTask(_:)`.
  ///
  /// - Throws: errors that the body throws.
  @concurrent
  public func performBackgroundTask<Result>(
    _ body: sending (ManagedObjectContext) throws -> sending Result
  ) async throws -> sending Result {
    let context = newBackgroundContext()
    context.owner = .thisThread("the body of its performBackgroundTask")
    return try body(context)
  }
}

/// A context with an isolation of its own, for repeated use.
///
///     let background = BackgroundContext(container)
///     let id = try await background.perform { context in
///       let dog = try Dog.findOrCreate(named: "Fido", in: context)
///       try context.save()
///       return dog.objectID
///     }
///
/// Results of `perform` are Sendable, so no object leaves it, which the compiler checks. A custom
/// actor can do the same with additional properties: call `newBackgroundContext()` in its `init`.
/// Replaces Core Data's contexts with a private queue and their `perform(_:)`.
public actor BackgroundContext {
  private let context: ManagedObjectContext

  /// Creates a context on a container's stores.
  public init(_ container: PersistentContainer) {
    context = container.newBackgroundContext()
    if ContextOwner.isAskedFor {
      let worker = worker
      context.owner = ContextOwner("its BackgroundContext") {
        worker.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      }
    }
  }

  /// The thread that is running `perform`, where the process checks it.
  private final class Worker {
    var thread: pthread_t?
  }
  private let worker = Worker()

  /// Runs a body with the context; the next one waits until it has ended.
  ///
  ///     let count = try await background.perform { try $0.count(for: Walk.fetchRequest()) }
  ///
  /// - Throws: errors that the body throws.
  public func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (ManagedObjectContext) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard ContextOwner.isAskedFor else { return try body(context) }
    worker.thread = pthread_self()
    defer { worker.thread = nil }
    return try body(context)
  }
}
