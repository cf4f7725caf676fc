/// Fetches over changes that are not saved yet.
extension ManagedObjectContext {
  /// Whether anything is unsaved, of whichever entity: fetches look through to-ones.
  var hasPendingChanges: Bool {
    !pendingInserts.isEmpty || !pendingUpdates.isEmpty || !pendingDeletes.isEmpty
  }

  /// The objects that a plan asks for, unsaved changes counted where wanted.
  ///
  /// SQL finds the rows; those of changed objects are judged by their values here.
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
    // Judging reads to-manys, by which objects may turn out to be changed; so only now.
    var found = areSure ? stored : stored.filter(matches)
    found += changed.filter(matches)
    found.sort {
      plan.sorts.areInOrder(($0.row, $0._key), ($1.row, $1._key), lookup: lookup)
    }
    let rest = found.dropFirst(plan.offset)
    return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
  }

  /// The objects that a plan asks for as they are stored, sorted here where SQL cannot.
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

  /// Looks through to-ones of objects as they are stored.
  func storedRows() -> RowLookup {
    // The rows stay in memory as long as their objects do.
    var held: [ManagedObject] = []
    return { toOne, row in
      let object = self.object(row.integer(toOne.slot), at: toOne, in: row)
      held.append(object)
      let row = object._side?.snapshot ?? object.row
      return object._state.contains(.gone) ? nil : row
    }
  }

  /// The unchanged objects among those that a plan asks for, and whether it is sure that they fit.
  private func stored(for plan: FetchPlan) throws -> (objects: [ManagedObject], areSure: Bool) {
    var whole = plan
    // They are put in order together with the changed ones.
    (whole.limit, whole.offset, whole.sorts, whole.isUnordered) = (0, 0, [], true)
    let doubts = try plan.predicate.map { try rowsLeadingToChanges($0, from: plan.entity) } ?? []
    if let predicate = plan.predicate, !doubts.isEmpty {
      whole.predicate = .any([predicate, .object(isIn: BoundKeys(doubts.sorted()))])
      whole.unbound?.predicate = nil
    }
    let unchanged = try objects(for: whole).filter {
      $0._state.isDisjoint(with: [.deleted, .gone, .updated])
    }
    return (unchanged, doubts.isEmpty)
  }
}
