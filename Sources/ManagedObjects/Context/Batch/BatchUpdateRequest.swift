public import DataModel

/// Sets the same new values in all rows that meet a condition, directly in the store.
///
///     var request = BatchUpdateRequest(entityName: "Walk")
///     request.predicate = try .init(format: "note == ''")
///     request.propertiesToUpdate = ["note": nil]
///     try context.mergeChanges(from: context.execute(request))
///
/// Contexts are bypassed; merge the result into them. No objects are made, no hooks run, and
/// nothing is validated except that a required attribute keeps a value. In a SQLite file this is
/// one UPDATE, unless an undo log is kept or a value may be stored in a file of its own: then the
/// rows are read and written one by one. All rows change in one transaction, or none; with several
/// stores, each one has done its work before the first commits. Follows Core Data's
/// `NSBatchUpdateRequest`.
public struct BatchUpdateRequest: Sendable {
  /// The entity of the rows.
  public var entityName: String
  /// The condition that a stored row must meet; nil for none.
  public var predicate: FetchPredicate?
  /// Whether rows of subentities change too.
  public var includesSubentities = true
  /// The stores whose rows change; nil for all of the coordinator's.
  public var affectedStores: [PersistentStore]?
  /// The new values by the attributes' names; nil for none.
  public var propertiesToUpdate: [String: AttributeValue?] = [:]

  /// Creates a request that changes nothing yet.
  public init(entityName: String) { self.entityName = entityName }
}

extension ManagedObjectContext {
  /// Updates rows directly in the store; returns the IDs of those that meet the condition, for
  /// merging.
  ///
  /// - Throws: `BatchRequestError` if a required attribute would be set to nil;
  ///   `PredicateBindingError` and `PersistentStoreError` as a fetch and a save do. Nothing is
  ///   changed then.
  /// - Precondition: the entity is one of the model, its attributes have the names and the types of
  ///   the values, and this context has no parent.
  public func execute(_ request: BatchUpdateRequest) throws -> ChangedObjectIDs {
    require(
      parent == nil,
      "A batch request goes to a store, but this context saves into its parent context.")
    var fetch = FetchRequest<ManagedObject>(entityName: request.entityName)
    fetch.predicate = request.predicate
    fetch.includesSubentities = request.includesSubentities
    fetch.affectedStores = request.affectedStores
    return try planningBatch(fetch) { try update($0, request.propertiesToUpdate) }
  }

  /// Updates the rows that some plans match.
  private func update(
    _ plans: [FetchPlan], _ values: [String: AttributeValue?]
  ) throws -> ChangedObjectIDs {
    // Slots are the same in all stores.
    guard let plan = plans.first else { return ChangedObjectIDs() }
    let slots = try values.map { name, value -> (Int, AttributeValue?) in
      guard let slot = plan.entity.slotsByName[name], slot < plan.entity.storedSlotCount,
        !plan.entity.slots[slot].isDerived, plan.entity.toOnesBySlot[slot] == nil
      else { fatalError("\(plan.entity.name) has no attribute \(name) to update.") }
      guard value != nil || !plan.entity.requiredSlots.contains(slot) else {
        throw BatchRequestError.requiredValue("\(plan.entity.name).\(name)")
      }
      return (slot, value)
    }
    let new = plan.entity.newValues(slots)
    if plans.count == 1,
      let rows = try persistentStoreCoordinator.update(
        plan, new, by: transactionOrigin)
    {
      return ChangedObjectIDs(
        updated: rows.map { ManagedObjectID(binding: $0.entity, key: $0.key) })
    }
    var saves = plans.map { _ in SaveRequest() }
    defer {
      for update in saves.flatMap(\.updates) {
        update.row.free(slotCount: update.entity.slotCount)
        update.snapshot.free(slotCount: update.entity.slotCount)
      }
    }
    try persistentStoreCoordinator.performWriting(to: plans.map(\.entity.store)) {
      for (index, plan) in plans.enumerated() {
        saves[index].origin = transactionOrigin
        try appendUpdates(of: plan, slots, to: &saves[index].updates)
      }
      try persistentStoreCoordinator.saveBatch(zip(plans, saves).map { ($0.entity.store, $1) })
    }
    return ChangedObjectIDs(
      updated: saves.flatMap(\.updates).map { ManagedObjectID(binding: $0.entity, key: $0.key) })
  }

  /// Appends the rows that a plan asks for, with other values; the caller frees them, also those
  /// that were read before an error.
  private func appendUpdates(
    of plan: FetchPlan, _ slots: [(Int, AttributeValue?)],
    to updates: inout ContiguousArray<SaveRequest.Update>
  ) throws {
    try read(plan) { cursor in
      while try cursor.next() {
        let binding = entities[cursor.entity].binding
        let snapshot = try cursor.makeRow(of: binding)
        var row = snapshot.copy(slotCount: binding.slotCount)
        // A superentity's slots are the first of its subentities'.
        for (slot, value) in slots {
          row = row.setting(value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots)
        }
        updates.append(
          SaveRequest.Update(entity: binding, key: cursor.key, row: row, snapshot: snapshot))
      }
    }
  }
}

extension EntityBinding {
  /// Values in the form in which rows hold them.
  fileprivate func newValues(
    _ values: [(Int, AttributeValue?)]
  ) -> [(slot: Int, value: Scalar?)] {
    var row = PackedRow.empty(slotCount: slotCount)
    for (slot, value) in values {
      row = row.setting(value, at: slot, kinds: kinds, tailSlots: tailSlots)
    }
    defer { row.free(slotCount: slotCount) }
    return values.map { ($0.0, Scalar(row, slot: $0.0, kind: kinds[$0.0])) }
  }
}
