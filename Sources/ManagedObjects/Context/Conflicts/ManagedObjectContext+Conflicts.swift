import DataModel

extension ManagedObjectContext {
  /// How a save resolves conflicts with changes made elsewhere; `MergePolicy.error` by default.
  ///
  ///     context.mergePolicy = .mergeByPropertyObjectTrump
  ///
  /// A conflict costs a query for each entity hierarchy of changed objects, and another attempt at
  /// the save; without one there is no cost. Follows Core Data's `mergePolicy`.
  public var mergePolicy: MergePolicy {
    get { chosenMergePolicy ?? .error }
    set { chosenMergePolicy = newValue.alwaysFails ? nil : newValue }
  }

  /// How many times a save is attempted before it fails, although every conflict was resolved.
  static let saveAttempts = 100

  /// Resolves the conflict that made a save fail; false if the save should fail.
  func resolve(_ error: any Error) throws -> Bool {
    let resolve = { () throws -> Bool in
      switch error {
      case let conflict as ConflictError:
        if try self.reinsertFound(conflict) { return true }
        guard let policy = self.chosenMergePolicy else { throw self.namingAll(conflict) }
        return try self.resolveMergeConflicts(by: policy, with: conflict)
      case PersistentStoreError.uniquenessViolation(let entity, let properties):
        guard let policy = self.chosenMergePolicy else { return false }
        let conflicts = try self.constraintConflicts(entity, properties)
        guard !conflicts.isEmpty else { return false }
        try policy.resolve(constraintConflicts: conflicts)
        for conflict in conflicts {
          conflict.databaseObject?.notifySnapshotEvents()
          for object in conflict.conflictingObjects { object.notifySnapshotEvents() }
        }
        self.notifyChildren(
          of: conflicts.flatMap { [$0.databaseObject].compactMap(\.self) + $0.conflictingObjects })
        return true
      default: return false
      }
    }
    // Changes that come from the store are not to be undone.
    return try changeRecorder?.pause(resolve) ?? resolve()
  }

  /// Makes child contexts refresh objects that a merge policy has changed or merged into one.
  private func notifyChildren(of objects: [ManagedObject]) {
    guard let childLog = children.log, childLog.hasReaders else { return }
    let gone = objects.filter { $0._state.contains(.detached) }
    let there = objects.filter { !$0._state.contains(.detached) }
    childLog.append(
      ChangedObjectIDs(updated: there.map(\.objectID), deleted: gone.map(\.objectID)), from: self)
  }

  /// The conflict that made a save fail, with every object that is in one.
  private func namingAll(_ conflict: ConflictError) -> ConflictError {
    // A save into a parent already names all; objects that cannot be read now are not named.
    guard parent == nil, let conflicts = try? mergeConflicts(named: conflict.objectID)
    else { return conflict }
    return ConflictError(
      objectIDs: conflict.objectIDs + conflicts.map(\.sourceObject.objectID))
  }

  /// Inserts objects again that were found by unique values and whose rows were deleted since.
  ///
  /// Returns false if there are none, or another row has the value by now.
  private func reinsertFound(_ conflict: ConflictError) throws -> Bool {
    var isBroughtBack = false
    for case let object? in conflict.objectIDs.map({ registeredObject(for: $0) })
    where object._state.contains(.findsOrCreates) && object.isUpdated {
      var exists = false
      try readRows([object._key], root: object._entity.binding.root) { _, _ in exists = true }
      guard try !exists && !isTaken(object) else { continue }
      object.end()
      object.reviveAtEnd()
      isBroughtBack = true
    }
    return isBroughtBack
  }

  /// Whether another row has one of the object's unique values.
  private func isTaken(_ object: ManagedObject) throws -> Bool {
    guard parent == nil, object._slots != nil else { return false }
    let binding = object._entity.binding
    for unique in binding.uniqueness where unique.slots.count == 1 {
      let slot = unique.slots[0]
      guard case .attribute(let attribute) = binding.slots[slot],
        let value = object.row.value(at: slot, type: attribute.type),
        let found = try persistentStoreCoordinator.row(
          with: Scalar(value, kind: binding.kinds[slot]), at: slot, of: binding
        ).found
      else { continue }
      found.row.free(slotCount: found.entity.slotCount)
      return true
    }
    return false
  }

  private func resolveMergeConflicts(
    by policy: MergePolicy, with conflict: ConflictError
  ) throws -> Bool {
    let conflicts = try mergeConflicts(named: conflict.objectID)
    // Objects whose rows were already missing when they were changed, or checked, have no values
    // that could be kept.
    let hasLosses =
      !objectsWithMissingRows.isEmpty
      || conflictChecks?.contains { $0.object._state.contains(.detached) } == true
    guard hasLosses || !conflicts.isEmpty else { return false }
    if policy.mergeType != .error {
      removeObjectsWithMissingRows { _ in true }
      removeChecks { $0.object._state.contains(.detached) }
    }
    if !conflicts.isEmpty { try policy.resolve(mergeConflicts: conflicts) }
    for conflict in conflicts where !conflict.sourceObject._state.contains(.detached) {
      let object = conflict.sourceObject
      guard let persisted = conflict.persisted else {
        // A custom policy has left the conflict unresolved.
        if !object._state.contains(.inserted) { object.end() }
        continue
      }
      let base = object._side?.snapshot ?? object._slots.map { PackedRow(slots: $0) }
      if let base, base.version != persisted.row.version { object.rebase(on: persisted.row) }
    }
    renewChecks(conflicts)
    try partStoredPairs(in: conflicts)
    for conflict in conflicts { conflict.sourceObject.notifySnapshotEvents() }
    notifyChildren(of: conflicts.map(\.sourceObject))
    return !(hasLosses && policy.mergeType == .error)
  }

  /// Every object of the next save whose row differs from the one that was read.
  ///
  /// - Parameter id: the object that made the save fail; the save may not write it itself, since a
  ///   to-one may refer to it.
  private func mergeConflicts(named id: ManagedObjectID) throws -> [MergeConflict] {
    let checks = Dictionary(
      (conflictChecks ?? []).map { ($0.object, $0) }, uniquingKeysWith: { one, _ in one })
    var candidates =
      pendingUpdates.filter { $0.isUpdated && $0.hasChangesToSave }
      + pendingDeletes.filter(\.isDeleted)
      + checks.keys.filter {
        (!$0.hasChanges || $0.isDeletedExternally) && !$0._state.contains(.detached)
      }
    if parent == nil, !id.isTemporaryID, index(of: id) != nil {
      let named = object(with: id)
      if !named.hasChanges, !named._state.contains(.detached), checks[named] == nil {
        candidates.append(named)
      }
    }
    var byRoot: [Int: [ManagedObject]] = [:]
    for object in candidates { byRoot[object._entity.binding.root, default: []].append(object) }
    var conflicts: [MergeConflict] = []
    for (root, objects) in byRoot {
      var rows: [Int64: RowReference] = [:]
      try readRows(objects.map(\._key), root: root) { cursor, entity in
        rows[cursor.key] = RowReference(try cursor.makeRow(of: entity.binding), of: entity.binding)
      }
      for object in objects {
        // A row of another entity belongs to another object.
        let stored = rows[object._key].flatMap { $0.entity === object._entity.binding ? $0 : nil }
        let base = object._side?.snapshot ?? object._slots.map { PackedRow(slots: $0) }
        // A fault with only a changed list was never read.
        let check = checks[object]
        // A parent accepts a child's changes, whatever values it had itself.
        if let stored, parent != nil || base.map({ $0.version == stored.row.version }) ?? true,
          check?.isMet(by: stored.row) ?? true
        {
          continue
        }
        conflicts.append(
          MergeConflict(
            sourceObject: object, oldVersionNumber: Int(check?.version ?? base?.version ?? 0),
            newVersionNumber: Int(stored?.row.version ?? 0), persisted: stored))
      }
    }
    return conflicts
  }
}

extension ManagedObjectContext {
  /// Clears one-to-ones that were stored elsewhere in conflict with changes here that take
  /// precedence.
  ///
  /// One of the two stored sides is overwritten; the other one is a row that was not loaded here.
  private func partStoredPairs(in conflicts: [MergeConflict]) throws {
    var pairs: [(object: ManagedObject, toOne: EntityBinding.ToOne, partner: ManagedObject)] = []
    for conflict in conflicts where conflict.sourceObject._state.isDisjoint(with: .detached) {
      let object = conflict.sourceObject
      guard let stored = conflict.persisted?.row else { continue }
      for toOne in object._entity.binding.toOnes where stored.hasValue(toOne.slot) {
        guard case .toOne = toOne.inverse,
          object.isDeleted || !object.row.isEqual(toOne.slot, to: stored, isTail: false)
        else { continue }
        pairs.append(
          (object, toOne, self.object(stored.integer(toOne.slot), at: toOne, in: stored)))
      }
    }
    guard !pairs.isEmpty else { return }
    var merge = RowMerge(context: self)
    try merge.refresh(Array(Set(pairs.map(\.partner))), keepsChangedWithoutRow: true)
    try merge.finish()
    for (object, toOne, partner) in pairs {
      guard case .toOne(let slot) = toOne.inverse,
        partner._state.isDisjoint(with: [.detached, .deleted]), partner.row.hasValue(slot),
        partner.row.integer(slot) == object._key
      else { continue }
      switch toOne.description.deleteRule {
      case .cascade where object.isDeleted: delete(partner)
      case .noAction where object.isDeleted, .deny where object.isDeleted: continue
      default: partner.writeInverse(nil, slot: slot)
      }
    }
  }

  /// Clears references of changed objects to one whose row was deleted elsewhere.
  func cutLinks(to gone: ManagedObject) {
    for object in pendingInserts + pendingUpdates where object.isInserted || object.isUpdated {
      for toOne in object._entity.binding.toOnes
      where gone.canBeDestination(ofEntity: toOne.destination) && object._slots != nil
        && object.row.hasValue(toOne.slot) && object.row.integer(toOne.slot) == gone._key
      {
        object.writeInverse(nil, slot: toOne.slot)
      }
      // With an inverse, the object was removed from its lists when it was deleted.
      guard let lists = object._lists else { continue }
      for toMany in object._entity.binding.toManys
      where gone.canBeDestination(ofEntity: toMany.destination) {
        if case .none = toMany.inverse { lists.toManys[toMany.number].drop(gone) }
      }
    }
  }
}

extension ManagedObject {
  /// Whether a relationship to an entity can refer to this object.
  fileprivate func canBeDestination(ofEntity entity: Int) -> Bool {
    requiredContext.binding(at: entity).root == _entity.binding.root
  }
}
