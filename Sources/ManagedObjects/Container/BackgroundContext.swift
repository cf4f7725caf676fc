import SystemLibraries

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

  /// The thread that is running `perform`, if the process checks it.
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
