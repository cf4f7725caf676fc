/// Fetching with unsaved changes taken into account.
extension ManagedObjectContext {
  /// Whether there are unsaved changes to objects of any entity, since fetches follow to-ones.
  var hasPendingChanges: Bool {
    !pendingInserts.isEmpty || !pendingUpdates.isEmpty || !pendingDeletes.isEmpty
  }

  /// The objects that a plan matches, with unsaved changes if requested.
  ///
  /// SQL finds the rows; changed objects are evaluated with their current values.
  func objects(for plan: FetchPlan, pending: Bool) throws -> [ManagedObject] {
    guard pending, hasPendingChanges else { return try sortedObjects(for: plan) }
    let evaluation = rowEvaluation()
    let lookup = evaluation.toOne
    func matches(_ object: ManagedObject) -> Bool {
      plan.predicate.map { evaluation.holds($0, object.row, key: object._key) } ?? true
    }

    let (stored, areSure) = try stored(for: plan)
    let family = plan.family
    let changed = (pendingInserts + pendingUpdates).filter {
      ($0.isInserted || $0.isUpdated) && family.contains($0._entity.binding.index)
    }
    // Evaluation reads to-manys, which may turn out to have changed objects; so it comes last.
    var found = areSure ? stored : stored.filter(matches)
    found += changed.filter(matches)
    found.sort {
      plan.sorts.areInOrder(($0.row, $0._key), ($1.row, $1._key), lookup: lookup)
    }
    let rest = found.dropFirst(plan.offset)
    return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
  }

  /// The stored objects that a plan matches, sorted here if SQL cannot do so.
  private func sortedObjects(for plan: FetchPlan) throws -> [ManagedObject] {
    guard plan.sorts.needsMemory else { return try objects(for: plan) }
    var whole = plan
    (whole.limit, whole.offset, whole.sorts, whole.isUnordered) = (0, 0, [], true)
    func stored(_ object: ManagedObject) -> PackedRow { object._side?.snapshot ?? object.row }
    let lookup = storedRows()
    let found = try objects(for: whole).sorted {
      plan.sorts.areInOrder((stored($0), $0._key), (stored($1), $1._key), lookup: lookup)
    }
    let rest = found.dropFirst(plan.offset)
    return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
  }

  /// Follows to-ones of objects as they are stored.
  func storedRows() -> RowLookup {
    // The rows stay in memory as long as their objects do.
    var held: [ManagedObject] = []
    return { toOne, row in
      let object = self.object(row.integer(toOne.slot), at: toOne, in: row)
      held.append(object)
      let row = object._side?.snapshot ?? object.row
      return object._state.contains(.detached) ? nil : row
    }
  }

  /// The unchanged objects that a plan matches, and whether they certainly match.
  private func stored(for plan: FetchPlan) throws -> (objects: [ManagedObject], areSure: Bool) {
    var whole = plan
    // They are sorted together with the changed ones.
    (whole.limit, whole.offset, whole.sorts, whole.isUnordered) = (0, 0, [], true)
    let doubts = try plan.predicate.map { try rowsLeadingToChanges($0, from: plan.entity) } ?? []
    if let predicate = plan.predicate, !doubts.isEmpty {
      whole.predicate = .any([predicate, .object(isIn: BoundKeys(doubts.sorted()))])
      whole.unbound?.predicate = nil
    }
    let unchanged = try objects(for: whole).filter {
      $0._state.isDisjoint(with: [.deleted, .detached, .updated])
    }
    return (unchanged, doubts.isEmpty)
  }
}
