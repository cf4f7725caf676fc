/// An object that the next save has to find as it was when the program asked for that.
struct ConflictCheck {
  let object: ManagedObject
  /// What the store, or the parent, had of it then.
  var read: HeldRow

  var version: UInt32 { read.row.version }

  /// Whether the store, or the parent, has the same now.
  ///
  /// A parent's row gets its lock count from a save later than its values, so these are compared.
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
  /// Has the next save make sure that nobody changed an object, even if it was not changed here.
  ///
  ///     context.detectConflicts(for: tariff)   // The price was worked out with it.
  ///     try context.save()
  ///
  /// The save then treats a change by others as a conflict, also one that was merged into this
  /// context meanwhile. A context with a parent looks at the parent's object, and has the parent's
  /// next save look at the store. Changed and deleted objects are looked after anyway, as they were
  /// when they were last read. Does nothing for faults and new objects. Follows Core Data's
  /// `detectConflicts(for:)`.
  ///
  /// - Precondition: the object belongs to this context.
  public func detectConflicts(for object: ManagedObject) {
    require(object._entity.context === self, "The object belongs to another context.")
    guard let slots = object._slots, object._state.isDisjoint(with: [.inserted, .gone]) else {
      return
    }
    let binding = object._entity.binding
    let row = object._side?.snapshot ?? PackedRow(slots: slots)
    let read = HeldRow(row.copy(slotCount: binding.slotCount), of: binding)
    conflictChecks = (conflictChecks ?? []) + [ConflictCheck(object: object, read: read)]
  }

  /// Takes what a conflict was resolved with for what the next save has to find.
  func renewChecks(_ conflicts: [MergeConflict]) {
    guard let checks = conflictChecks else { return }
    let persisted = Dictionary(
      conflicts.map { ($0.sourceObject, $0.persisted) }, uniquingKeysWith: { one, _ in one })
    conflictChecks = checks.compactMap { check in
      guard let found = persisted[check.object] else { return check }
      // What is gone is none to look after any more.
      return found.map { ConflictCheck(object: check.object, read: $0) }
    }
  }
}
