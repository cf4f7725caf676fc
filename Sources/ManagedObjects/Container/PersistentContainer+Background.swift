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
