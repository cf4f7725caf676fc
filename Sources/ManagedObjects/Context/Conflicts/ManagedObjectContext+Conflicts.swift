import DataModel

extension ManagedObjectContext {
  /// What a save does where its changes meet those of others; `MergePolicy.error` at first.
  ///
  ///     context.mergePolicy = .mergeByPropertyObjectTrump
  ///
  /// Conflicts cost a query for each family of changed objects, and another attempt at the save; without
  /// one nothing is looked into. Follows Core Data's `mergePolicy`.
  public var mergePolicy: MergePolicy {
    get { chosenMergePolicy ?? .error }
    set { chosenMergePolicy = newValue.alwaysFails ? nil : newValue }
  }

  /// Has the next save make sure that nobody changed an object, even if it was not changed here.
  ///
  ///     context.detectConflicts(for: tariff)   // The price was worked out with it.
  ///     try context.save()
  ///
  /// The save then treats a change by others as a conflict. Changed and deleted objects are looked
  /// after anyway. Does nothing for faults and new objects. Follows Core Data's
  /// `detectConflicts(for:)`.
  ///
  /// - Precondition: the object belongs to this context.
  public func detectConflicts(for object: ManagedObject) {
    require(object._entity.context === self, "The object belongs to another context.")
    guard object._slots != nil, object._state.isDisjoint(with: [.inserted, .gone]) else { return }
    conflictChecks = (conflictChecks ?? []) + [object]
  }

  /// How often a save is tried before it fails, though every conflict was settled.
  static let saveAttempts = 100

  /// Settles what a save failed of; false where it is to fail.
  func settle(_ error: any Error) throws -> Bool {
    let settle = { () throws -> Bool in
      switch error {
      case let conflict as ConflictError:
        if try self.bringBackFound(conflict) { return true }
        guard let policy = self.chosenMergePolicy else { return false }
        return try self.settleMergeConflicts(by: policy)
      case PersistentStoreError.uniquenessViolation(let entity, let properties):
        guard let policy = self.chosenMergePolicy else { return false }
        let conflicts = try self.constraintConflicts(entity, properties)
        guard !conflicts.isEmpty else { return false }
        try policy.resolve(constraintConflicts: conflicts)
        for conflict in conflicts {
          conflict.databaseObject?.tellSnapshotEvents()
          for object in conflict.conflictingObjects { object.tellSnapshotEvents() }
        }
        return true
      default: return false
      }
    }
    // What comes from others is not to be undone.
    return try changeRecorder?.pause(settle) ?? settle()
  }

  /// Makes an object anew that was found by its unique value, and whose row is gone since.
  private func bringBackFound(_ conflict: ConflictError) throws -> Bool {
    guard let object = registeredObject(for: conflict.objectID),
      object._state.contains(.findsOrCreates), object.isUpdated
    else { return false }
    var isThere = false
    try readRows([object._key], root: object._entity.binding.root) { _, _ in isThere = true }
    guard !isThere else { return false }
    object.end()
    object.revive()
    return true
  }

  private func settleMergeConflicts(by policy: MergePolicy) throws -> Bool {
    let conflicts = try mergeConflicts()
    // Objects that were to be changed when their rows were gone have nothing to be kept.
    let hasLosses = !pendingLosses.isEmpty
    guard hasLosses || !conflicts.isEmpty else { return false }
    if policy.mergeType != .error { dropLosses { _ in true } }
    if !conflicts.isEmpty { try policy.resolve(mergeConflicts: conflicts) }
    for conflict in conflicts where !conflict.sourceObject._state.contains(.gone) {
      let object = conflict.sourceObject
      guard let persisted = conflict.persisted else {
        // A policy of the program's own has left it.
        if !object._state.contains(.inserted) { object.end() }
        continue
      }
      let base = object._side?.snapshot ?? object._slots.map { PackedRow(slots: $0) }
      if let base, base.version < persisted.row.version { object.rebase(on: persisted.row) }
    }
    for conflict in conflicts { conflict.sourceObject.tellSnapshotEvents() }
    return !(hasLosses && policy.mergeType == .error)
  }

  /// Every object of the next save whose row is another than the one that was read.
  private func mergeConflicts() throws -> [MergeConflict] {
    let candidates =
      pendingUpdates.filter(\.isUpdated) + pendingDeletes.filter(\.isDeleted)
      + (conflictChecks ?? []).filter { !$0.hasChanges && !$0._state.contains(.gone) }
    var byRoot: [Int: [ManagedObject]] = [:]
    for object in candidates { byRoot[object._entity.binding.root, default: []].append(object) }
    var conflicts: [MergeConflict] = []
    for (root, objects) in byRoot {
      var rows: [Int64: HeldRow] = [:]
      try readRows(objects.map(\._key), root: root) { cursor, entity in
        rows[cursor.key] = HeldRow(
          try cursor.makeRow(of: entity.binding), slotCount: entity.binding.slotCount)
      }
      for object in objects {
        let stored = rows[object._key]
        let base = object._side?.snapshot ?? object._slots.map { PackedRow(slots: $0) }
        // A fault of which only a list was changed was never read.
        if let stored, base.map({ $0.version == stored.row.version }) ?? true { continue }
        conflicts.append(
          MergeConflict(
            sourceObject: object, oldVersionNumber: Int(base?.version ?? 0),
            newVersionNumber: Int(stored?.row.version ?? 0), persisted: stored))
      }
    }
    return conflicts
  }
}
