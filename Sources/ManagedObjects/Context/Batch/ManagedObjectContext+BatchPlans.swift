extension ManagedObjectContext {
  /// Runs a body with the fetch plans of a batch request, which ignore unsaved changes.
  ///
  /// Aggregates of all objects (`@max.date`) are computed in the transaction that the body writes
  /// in.
  func planningBatch<Result, Value>(
    _ request: FetchRequest<Result>, _ body: ([FetchPlan]) throws -> Value
  ) throws -> Value {
    var stored = request
    stored.includesPendingChanges = false
    guard stored.predicate?.nesting.asksAllObjects == true else { return try body(plans(stored)) }
    let stores = try entities(askedBy: stored).map(\.binding.store)
    return try persistentStoreCoordinator.performWriting(to: stores) { try body(plans(stored)) }
  }
}
