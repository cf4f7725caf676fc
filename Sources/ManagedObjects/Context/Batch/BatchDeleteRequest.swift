import DataModel

/// Deletes all rows that meet a condition, directly in the store.
///
///     var walks = Walk.fetchRequest()
///     walks.predicate = try .init(format: "date < %@", lastYear)
///     try context.mergeChanges(from: context.execute(BatchDeleteRequest(fetchRequest: walks)))
///
/// Contexts are bypassed; merge the result into them. The delete rules are applied: members of a
/// cascading to-many are deleted too, Nullify clears references, Deny refuses the whole request. In
/// a SQLite file this is one DELETE if the rules affect no other rows, no undo log is kept, no
/// value may be stored in a file of its own, and no history keeps values of deleted rows; otherwise
/// the rows are read and deleted one by one. No hooks run, and nothing is validated. All rows are
/// deleted in one transaction, or none; with several stores, each one has done its work before the
/// first commits. Follows Core Data's `NSBatchDeleteRequest`.
public struct BatchDeleteRequest<Result: ManagedObject>: Sendable {
  /// The objects to delete, matched against stored values.
  ///
  /// Its limit, its offset and its affected stores apply.
  public var fetchRequest: FetchRequest<Result>

  /// Creates a request.
  public init(fetchRequest: FetchRequest<Result>) { self.fetchRequest = fetchRequest }
}

extension ManagedObjectContext {
  /// Deletes rows directly in the store; returns the IDs of deleted and changed objects for
  /// merging.
  ///
  /// - Throws: `BatchRequestError` if a Deny rule forbids it; whatever a fetch and a save throw.
  ///   Nothing is changed then.
  /// - Precondition: the request sorts by no comparator, and this context has no parent.
  public func execute<Result: ManagedObject>(
    _ request: BatchDeleteRequest<Result>
  ) throws -> ChangedObjectIDs {
    require(
      parent == nil,
      "A batch request goes to a store, but this context saves into its parent context.")
    return try planningBatch(request.fetchRequest) { plans in
      require(
        !plans.contains { $0.sorts.needsMemory }, "A batch request cannot sort by a comparator.")
      if plans.count == 1,
        let rows = try persistentStoreCoordinator.delete(
          plans[0], by: transactionOrigin)
      {
        return ChangedObjectIDs(
          deleted: rows.map { ManagedObjectID(binding: $0.entity, key: $0.key) })
      }
      // The rules are checked against the rows that are read, so no other connection may write
      // until the batch is done.
      return try persistentStoreCoordinator.performWriting(to: plans.map(\.entity.store)) {
        let deletions = try countedOff(plans, of: request.fetchRequest).map { plan in
          let deletion = BatchDeletion(context: self, store: plan.entity.store)
          try deletion.collect(plan)
          return deletion
        }
        return try BatchDeletion.save(deletions, persistentStoreCoordinator)
      }
    }
  }

  /// Plans without limit and offset, which a store cannot apply by itself if there are several.
  private func countedOff<Result: ManagedObject>(
    _ plans: [FetchPlan], of request: FetchRequest<Result>
  ) throws -> [FetchPlan] {
    guard plans.count > 1, request.fetchLimit > 0 || request.fetchOffset > 0 else { return plans }
    var stored = request
    stored.includesPendingChanges = false
    let ids = try fetchIDs(stored)
    return plans.map { plan in
      var counted = FetchPlan(entity: plan.entity)
      counted.includesSubentities = plan.includesSubentities
      let own = ids.filter { $0.binding.store === plan.entity.store }
      counted.predicate = .object(isIn: BoundKeys(own.map(\.key)))
      return counted
    }
  }
}
