/// The rows that a batch deletes, and the changes that the delete rules require with them.
final class BatchDeletion {
  private let context: ManagedObjectContext
  private var request = SaveRequest()
  /// The keys to delete, by the index of their root entity.
  private var gone: [Int: Set<Int64>] = [:]
  /// The indexes of the request's updates, by the index of their root entity and their keys.
  private var updateIndexes: [Int: [Int64: Int]] = [:]
  /// Rows that refer to deleted rows; handled once all rows to delete are known.
  private var leading: [ReferringRows] = []

  /// Rows with a to-one to a row that is deleted.
  private struct ReferringRows {
    let plan: FetchPlan
    /// The slot of the to-one to clear; nil if the rule is Deny.
    let forgets: Int?
    /// The relationship whose rule is Deny, for the error.
    let relationship: String
    let owner: Owner
  }

  /// The object whose relationship contains a row.
  private enum Owner {
    case object(ManagedObjectID)
    /// An object of this entity, to which the row's to-one in a slot refers.
    case end(of: EntityBinding, slot: Int)
    /// An object of this entity, with a link to the row.
    case linked(EntityBinding)
  }

  private let store: PersistentStoreIdentity

  init(context: ManagedObjectContext, store: PersistentStoreIdentity) {
    self.context = context
    self.store = store
    request.origin = context.transactionOrigin
  }

  deinit {
    for update in request.updates {
      update.row.free(slotCount: update.entity.slotCount)
      update.snapshot.free(slotCount: update.entity.slotCount)
    }
  }

  /// Collects the rows that a plan matches, and all that cascade from them.
  func collect(_ plan: FetchPlan) throws {
    var waiting = [plan]
    while let plan = waiting.popLast() {
      var found: [Int: [Int64]] = [:]
      var ends: [Int: [Int64]] = [:]
      try read(plan) { binding, key, row, _ in
        guard gone[binding.root, default: []].insert(key).inserted else { return }
        found[binding.index, default: []].append(key)
        request.deletes.append(
          SaveRequest.Delete(entity: binding, key: key, version: row.version))
        for toOne in binding.toOnes where row.hasValue(toOne.slot) {
          try note(toOne, row.integer(toOne.slot), of: binding, key, &ends)
        }
      }
      for (index, keys) in ends { waiting.append(self.plan(index, .object(isIn: BoundKeys(keys)))) }
      for (index, keys) in found {
        for toMany in context.binding(at: index).toManys {
          if let members = note(toMany, of: context.binding(at: index), keys) {
            waiting.append(members)
          }
        }
      }
    }
  }

  /// Saves what was collected in one store or several.
  static func save(
    _ deletions: [BatchDeletion], _ coordinator: PersistentStoreCoordinator
  ) throws -> ChangedObjectIDs {
    for deletion in deletions {
      for leading in deletion.leading { try deletion.nullify(leading) }
    }
    try coordinator.saveBatch(deletions.map { ($0.store, $0.request) })
    return ChangedObjectIDs(
      updated: deletions.flatMap(\.request.updates).map {
        ManagedObjectID(binding: $0.entity, key: $0.key)
      },
      deleted: deletions.flatMap(\.request.deletes).map {
        ManagedObjectID(binding: $0.entity, key: $0.key)
      })
  }

  // MARK: Rules

  private func note(
    _ toOne: EntityBinding.ToOne, _ end: Int64, of binding: EntityBinding, _ key: Int64,
    _ ends: inout [Int: [Int64]]
  ) throws {
    switch toOne.description.deleteRule {
    case .cascade: ends[toOne.destination, default: []].append(end)
    case .deny:
      leading.append(
        ReferringRows(
          plan: plan(toOne.destination, .object(isIn: BoundKeys([end]))), forgets: nil,
          relationship: "\(binding.name).\(toOne.description.name)",
          owner: .object(ManagedObjectID(binding: binding, key: key))))
    case .nullify:
      guard case .toOne(let slot) = toOne.inverse else { return }
      leading.append(
        ReferringRows(
          plan: plan(toOne.destination, .object(isIn: BoundKeys([end]))), forgets: slot,
          relationship: toOne.description.name,
          owner: .object(ManagedObjectID(binding: binding, key: key))))
    case .noAction: return
    }
  }

  /// Plans the deletion of members by cascade; nil if no member is deleted.
  ///
  /// Links are deleted with either of their ends in any case.
  private func note(
    _ toMany: EntityBinding.ToMany, of binding: EntityBinding, _ owners: [Int64]
  ) -> FetchPlan? {
    var plan = FetchPlan(entity: context.binding(at: toMany.destination))
    var slot: Int?
    var owner = Owner.linked(binding)
    switch toMany.storage {
    case .foreignKey(let index):
      slot = index
      owner = .end(of: binding, slot: index)
      plan.predicate = .relationship(
        BoundKeyPath(hops: [], slot: index, type: nil), isIn: BoundKeys(owners))
    case .join(let end): plan.link = FetchPlan.Link(end: end, owners: owners)
    case .memory: return nil
    }
    switch toMany.description.deleteRule {
    case .cascade: return plan
    case .noAction: return nil
    case .nullify: if slot == nil { return nil }
    case .deny: slot = nil
    }
    leading.append(
      ReferringRows(
        plan: plan, forgets: slot, relationship: "\(binding.name).\(toMany.description.name)",
        owner: owner))
    return nil
  }

  /// Clears references from remaining rows to deleted ones, or throws if the rule is Deny.
  private func nullify(_ leading: ReferringRows) throws {
    try read(leading.plan) { binding, key, row, linked in
      guard gone[binding.root]?.contains(key) != true else { return }
      guard let slot = leading.forgets else {
        let owner =
          switch leading.owner {
          case .object(let id): id
          case .end(let entity, let back):
            ManagedObjectID(binding: entity, key: row.integer(back))
          case .linked(let entity): ManagedObjectID(binding: entity, key: linked)
          }
        throw BatchRequestError.deniedDeletion(owner, relationship: leading.relationship)
      }
      let index = updateIndexes[binding.root]?[key]
      let changed = index.map { request.updates[$0].row } ?? row.copy(slotCount: binding.slotCount)
      changed.setHasValue(false, slot)
      if let toOne = binding.toOnesBySlot[slot] {
        if let entitySlot = toOne.entitySlot { changed.setHasValue(false, entitySlot) }
        if let orderKeySlot = toOne.orderKeySlot { changed.setHasValue(false, orderKeySlot) }
      }
      guard index == nil else { return }
      updateIndexes[binding.root, default: [:]][key] = request.updates.count
      request.updates.append(
        SaveRequest.Update(
          entity: binding, key: key, row: changed,
          snapshot: row.copy(slotCount: binding.slotCount)))
    }
  }

  // MARK: Reading

  private func plan(_ index: Int, _ predicate: BoundPredicate) -> FetchPlan {
    var plan = FetchPlan(entity: context.binding(at: index))
    plan.predicate = predicate
    return plan
  }

  /// - Parameter body: receives each row, and the key of the object that has a link to it, if the
  ///   plan has a link.
  private func read(
    _ plan: FetchPlan, _ body: (EntityBinding, Int64, PackedRow, Int64) throws -> Void
  ) throws {
    var plan = plan
    // External values are identified by their file names, which the store knows.
    plan.leavesExternalData = true
    try context.read(plan) { cursor in
      while try cursor.next() {
        let binding = context.binding(at: cursor.entity)
        let row = try cursor.makeRow(of: binding)
        defer { row.free(slotCount: binding.slotCount) }
        // The cursor returns the owner where the plan has several.
        let owner = cursor.owner > 0 ? cursor.owner : plan.link?.owners.first ?? 0
        try body(binding, cursor.key, row, owner)
      }
    }
  }
}

@available(*, unavailable) extension BatchDeletion: Sendable {}
