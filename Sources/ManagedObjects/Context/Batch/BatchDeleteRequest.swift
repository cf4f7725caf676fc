/// All rows that meet a condition deleted at once, past all contexts.
///
///     var walks = Walk.fetchRequest()
///     walks.predicate = try .init(format: "date < %@", lastYear)
///     try context.mergeChanges(from: context.execute(BatchDeleteRequest(fetchRequest: walks)))
///
/// The delete rules are kept: members of a cascading to-many go too, others forget the object, Deny
/// refuses the whole request. In a SQLite file it is one DELETE where the rules reach no other rows and
/// no undo log is kept, else the rows are read and go one by one. No objects are made, no hooks run, and nothing is validated. All rows
/// go, in one transaction, or none. Follows Core Data's `NSBatchDeleteRequest`.
public struct BatchDeleteRequest<Result: ManagedObject>: Sendable {
  /// What is to be deleted, as it is stored; the limit and the offset count.
  public var fetchRequest: FetchRequest<Result>

  /// Creates a request.
  public init(fetchRequest: FetchRequest<Result>) { self.fetchRequest = fetchRequest }
}

extension ManagedObjectContext {
  /// Deletes rows past this context; gives the IDs of all that are gone or changed, for merging.
  ///
  /// - Throws: `BatchRequestError` where a rule denies it; `ConflictError` where another process
  ///   changes one of the rows at the same time; what a fetch and a save throw. Nothing is changed
  ///   then.
  /// - Precondition: the request sorts by no comparator, and this context has no parent.
  public func execute<Result: ManagedObject>(
    _ request: BatchDeleteRequest<Result>
  ) throws -> ChangedObjectIDs {
    precondition(parent == nil, "A batch goes to a store, and this context saves into its parent.")
    guard let plan = try plans(request.fetchRequest).first else { return ChangedObjectIDs() }
    precondition(!plan.sorts.needsMemory, "A batch cannot sort by a comparator.")
    if let rows = try persistentStoreCoordinator.delete(plan) {
      return ChangedObjectIDs(
        deleted: rows.map { ManagedObjectID(binding: $0.entity, key: $0.key) })
    }
    let deletion = BatchDeletion(context: self, store: plan.entity.store)
    try deletion.collect(plan)
    return try deletion.save()
  }
}
