/// The state that one event changed in a context, as it was before.
///
/// One row for each changed object, however often it was changed; the steps of each list, and if
/// those are many, the list as a whole.
final class UndoEvent {
  /// The first change of an object in the event.
  enum Change {
    case inserted
    case deleted
    /// Values were changed.
    case changed(Values)
  }

  /// The values of an object before an event, and which of them the event has changed.
  struct Values {
    let row: PackedRow
    /// The values of transient attributes that a row cannot hold.
    let others: [Int: Any]
    /// The changed slots among the first 64, one bit each; known when the event ends.
    var mask: UInt64 = 0
    /// The changed slots beyond the first 64.
    var further: [Int] = []

    func isChanged(_ slot: Int) -> Bool {
      slot < 64 ? mask & (1 << UInt64(slot)) != 0 : further.contains(slot)
    }
  }

  /// The changes of one to-many relationship.
  struct List {
    let owner: ManagedObject
    let number: Int
    /// The steps in the order in which they were made; empty if `whole` replaces them.
    var steps: [ToManyMembers.Step] = []
    /// The members before the event, including holes.
    var whole: [ManagedObject?]?

    /// Whether the members are in the same order as before, after all additions and removals.
    fileprivate var changesNothing: Bool {
      guard owner._state.isDisjoint(with: [.detached, .deleted]),
        let now = owner._lists?.toManys[number]
      else { return false }
      if let whole { return now.isSame(as: whole) }
      guard mayCancelOut else { return false }
      var before = now
      for step in steps.reversed() { before.takeBack(step) }
      return now.isSame(as: before.entries)
        && now.removed.elementsEqual(before.removed, by: ===)
    }

    /// Whether some step may have undone another one.
    ///
    /// The full comparison takes time in proportion to the length of the list.
    private var mayCancelOut: Bool {
      var known: Set<ObjectIdentifier> = []
      return steps.contains { step in
        step.member.map { !known.insert(ObjectIdentifier($0)).inserted } ?? true
      }
    }
  }

  private(set) var changes: ContiguousArray<(object: ManagedObject, change: Change)> = []
  var lists: ContiguousArray<List> = []

  var isEmpty: Bool { changes.isEmpty && lists.isEmpty }

  deinit {
    for (object, change) in changes {
      guard case .changed(let values) = change else { continue }
      values.row.free(slotCount: object._entity.binding.slotCount)
    }
  }

  /// Adds a change; the event takes ownership of its row.
  func append(_ change: Change, of object: ManagedObject) { changes.append((object, change)) }

  /// Moves in the changes of an event after this one, which is empty then.
  func append(_ other: UndoEvent) {
    changes += other.changes
    lists += other.lists
    other.changes = []
    other.lists = []
  }

  /// Whether objects were deleted.
  var hasDeletions: Bool {
    changes.contains { if case .deleted = $0.change { true } else { false } }
  }

  /// Whether an object was deleted.
  func deletes(_ object: ManagedObject) -> Bool {
    changes.contains { if case .deleted = $0.change { $0.object === object } else { false } }
  }

  /// Determines which values were changed, so that undoing leaves values from elsewhere alone.
  ///
  /// Changes without effect in the end are dropped; the event may become empty.
  func end() {
    for (object, _) in changes { object._state.subtract([.writable, .recorded]) }
    for list in lists { list.owner._lists?.toManys[list.number].eventIndex = -1 }
    dropInsertedAndDeleted()
    lists.removeAll(where: \.changesNothing)
    for (index, (object, change)) in changes.enumerated() {
      guard case .changed(var values) = change, let slots = object._slots else { continue }
      let now = PackedRow(slots: slots)
      for (slot, kind) in object._entity.binding.kinds.enumerated()
      where !now.isEqual(slot, to: values.row, isTail: kind.isTail) {
        if slot < 64 { values.mask |= 1 << UInt64(slot) } else { values.further.append(slot) }
      }
      changes[index].change = .changed(values)
    }
    drop { object, change in
      guard case .changed(let values) = change else { return false }
      let hasOthers = !values.others.isEmpty || object._side?.values.isEmpty == false
      return values.mask == 0 && values.further.isEmpty && !hasOthers
    }
  }

  /// Drops objects that were inserted and deleted within the event: they exist neither before nor
  /// after it.
  private func dropInsertedAndDeleted() {
    var inserted: Set<ObjectIdentifier> = []
    var insertedAndDeleted: Set<ObjectIdentifier> = []
    for (object, change) in changes {
      switch change {
      case .inserted: inserted.insert(ObjectIdentifier(object))
      case .deleted:
        if inserted.contains(ObjectIdentifier(object)) {
          insertedAndDeleted.insert(ObjectIdentifier(object))
        }
      case .changed: continue
      }
    }
    guard !insertedAndDeleted.isEmpty else { return }
    drop { object, _ in insertedAndDeleted.contains(ObjectIdentifier(object)) }
    lists.removeAll { list in
      insertedAndDeleted.contains(ObjectIdentifier(list.owner))
        || list.whole == nil
          && list.steps.allSatisfy { step in
            step.member.map { insertedAndDeleted.contains(ObjectIdentifier($0)) } ?? false
          }
    }
  }

  private func drop(where isIdle: (ManagedObject, Change) -> Bool) {
    changes.removeAll { object, change in
      guard isIdle(object, change) else { return false }
      if case .changed(let values) = change {
        values.row.free(slotCount: object._entity.binding.slotCount)
      }
      return true
    }
  }
}

@available(*, unavailable) extension UndoEvent: Sendable {}
@available(*, unavailable) extension UndoEvent.Change: Sendable {}
@available(*, unavailable) extension UndoEvent.List: Sendable {}
