/// An object passed to `detectConflicts(for:)`, and its row at that time.
struct ConflictCheck {
  let object: ManagedObject
  /// The row as it was read from the store or the parent.
  var read: RowReference

  var version: UInt32 { read.row.version }

  /// Whether a row that is read now is the same.
  ///
  /// For a store's row the lock counts are compared. For a parent's object the values are, since
  /// its lock count changes when the parent saves the values that were read here.
  func isMet(by row: PackedRow) -> Bool {
    guard object._entity.context?.parent != nil else { return row.version == version }
    let binding = read.entity
    return (0..<binding.storedSlotCount).allSatisfy { slot in
      let kind = binding.kinds[slot]
      return kind == .orderKey || binding.slots[slot].isDerived
        || row.isEqual(slot, to: read.row, isTail: kind.isTail)
    }
  }
}

@available(*, unavailable) extension ConflictCheck: Sendable {}

extension ManagedObjectContext {
  /// Marks an object for conflict detection in the next save, even if it is not changed here.
  ///
  ///     context.detectConflicts(for: tariff)   // The price was worked out with it.
  ///     try context.save()
  ///
  /// The save then treats a change by another context or process as a conflict, even one that was
  /// merged into this context in the meantime. When this is called again, or changes are merged
  /// with `refresh(_:mergeChanges:)`, the values at that time are compared. A context with a parent
  /// compares with the parent's object, and makes the parent's next save compare with the store.
  /// Changed and deleted objects are always checked, against their values when last read. Does
  /// nothing for faults and new objects. Follows Core Data's `detectConflicts(for:)`.
  ///
  /// - Precondition: the object belongs to this context.
  public func detectConflicts(for object: ManagedObject) {
    require(object._entity.context === self, "The object belongs to another context.")
    guard let slots = object._slots, object._state.isDisjoint(with: [.inserted, .detached]) else {
      return
    }
    let binding = object._entity.binding
    let row = object._side?.snapshot ?? PackedRow(slots: slots)
    let read = RowReference(row.copy(slotCount: binding.slotCount), of: binding)
    removeChecks { $0.object === object }
    conflictChecks = (conflictChecks ?? []) + [ConflictCheck(object: object, read: read)]
  }

  /// Removes checks; without any left, the context has no reason to save because of them.
  func removeChecks(where isOver: (ConflictCheck) -> Bool) {
    guard let checks = conflictChecks else { return }
    let rest = checks.filter { !isOver($0) }
    conflictChecks = rest.isEmpty ? nil : rest
  }

  /// Makes the next attempt to save compare with the rows that conflicts were resolved with.
  func renewChecks(_ conflicts: [MergeConflict]) {
    guard let checks = conflictChecks else { return }
    let persisted = Dictionary(
      conflicts.map { ($0.sourceObject, $0.persisted) }, uniquingKeysWith: { one, _ in one })
    let renewed = checks.compactMap { check in
      guard let found = persisted[check.object] else { return check }
      // A deleted row needs no check.
      return found.map { ConflictCheck(object: check.object, read: $0) }
    }
    conflictChecks = renewed.isEmpty ? nil : renewed
  }
}
