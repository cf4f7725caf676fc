/// What one event changed in a context, as it was before.
///
/// One row for each object that was changed, however often; the steps of each list, and where those
/// are many the list as a whole.
final class UndoEvent {
  /// What happened to an object first.
  enum Change {
    case inserted
    case deleted
    /// Values were changed.
    case changed(Values)
  }

  /// The values of an object before an event, and which of them the event has changed.
  struct Values {
    let row: PackedRow
    /// Those of transient attributes that fit no row.
    let others: [Int: Any]
    /// The changed ones among the first 64 slots, a bit each; known when the event ends.
    var mask: UInt64 = 0
    /// The changed ones behind them.
    var further: [Int] = []

    func isChanged(_ slot: Int) -> Bool {
      slot < 64 ? mask & (1 << UInt64(slot)) != 0 : further.contains(slot)
    }
  }

  /// The changes of one to-many relationship.
  struct List {
    let owner: ManagedObject
    let number: Int
    /// In the order in which they were done; none where `whole` says it all.
    var steps: [ToManyMembers.Step] = []
    /// The members before the event, holes among them.
    var whole: [ManagedObject?]?
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

  /// Takes a change in; the row belongs to the event from then on.
  func append(_ change: Change, of object: ManagedObject) { changes.append((object, change)) }

  /// Finds out which values were changed: an undoing leaves those alone that come from elsewhere.
  func end() {
    dropPassing()
    for (place, (object, change)) in changes.enumerated() {
      object._state.remove(.writable)
      guard case .changed(var values) = change, let slots = object._slots else { continue }
      let now = PackedRow(slots: slots)
      for (slot, kind) in object._entity.binding.kinds.enumerated()
      where !now.isEqual(slot, to: values.row, isTail: kind.isTail) {
        if slot < 64 { values.mask |= 1 << UInt64(slot) } else { values.further.append(slot) }
      }
      changes[place].change = .changed(values)
    }
    for list in lists { list.owner._side?.toManys[list.number].eventPlace = -1 }
  }

  /// Forgets objects that came and went within the event: neither way leads to one that has them.
  private func dropPassing() {
    var inserted: Set<ObjectIdentifier> = []
    var passing: Set<ObjectIdentifier> = []
    for (object, change) in changes {
      switch change {
      case .inserted: inserted.insert(ObjectIdentifier(object))
      case .deleted:
        if inserted.contains(ObjectIdentifier(object)) { passing.insert(ObjectIdentifier(object)) }
      case .changed: continue
      }
    }
    guard !passing.isEmpty else { return }
    for (object, change) in changes where passing.contains(ObjectIdentifier(object)) {
      if case .changed(let values) = change {
        values.row.free(slotCount: object._entity.binding.slotCount)
      }
    }
    changes.removeAll { passing.contains(ObjectIdentifier($0.object)) }
  }
}

@available(*, unavailable) extension UndoEvent: Sendable {}
@available(*, unavailable) extension UndoEvent.Change: Sendable {}
@available(*, unavailable) extension UndoEvent.List: Sendable {}
