/// What the objects of a context were before the current event, for `changedValuesForCurrentEvent()`.
///
/// There is none until an event ends that leaves something to save, or is told to observers: as long
/// as an event lasts since the last save, the snapshots say it all.
final class EventValues {
  /// Something that happened to an object.
  private enum Note {
    case inserted
    /// Its values are going to be changed; these are they.
    case changed(PackedRow)
    /// One of its lists has changed.
    case stepped(ToManyMembers.Step, number: Int)
  }

  private var notes: ContiguousArray<(object: ManagedObject, note: Note)> = []
  private var droppedCount = 0
  /// Whether the event began with the last save.
  private(set) var beganWithSave = true

  deinit { drop(until: mark) }

  // MARK: Noting

  func didInsert(_ object: ManagedObject) { notes.append((object, .inserted)) }

  /// Keeps the values of an object before a change.
  func willChange(_ object: ManagedObject) {
    notes.append(
      (object, .changed(object.row.copy(slotCount: object._entity.binding.slotCount))))
  }

  func didStep(_ step: ToManyMembers.Step, in number: Int, of owner: ManagedObject) {
    notes.append((owner, .stepped(step, number: number)))
  }

  /// Has to-ones lead to the rows that their objects have got since.
  func replaceTemporaryKeys(with keys: PermanentKeys) {
    for case (let object, .changed(let row)) in notes {
      object.replaceTemporaryKeys(with: keys, in: row)
    }
  }

  // MARK: Events

  /// What stands for everything that was noted so far.
  var mark: Int { droppedCount + notes.count }

  /// Has the next change of each of a context's objects be noted.
  func listen(to objects: [ManagedObject]) {
    for object in objects { object._state.remove(.writable) }
  }

  /// Ends the event that had come so far when the mark was taken.
  func endEvent(at mark: Int) {
    drop(until: mark)
    beganWithSave = false
  }

  private func drop(until mark: Int) {
    let count = max(mark - droppedCount, 0)
    for (object, note) in notes.prefix(count) {
      object._state.remove(.writable)
      guard case .changed(let row) = note else { continue }
      row.free(slotCount: object._entity.binding.slotCount)
    }
    notes.removeFirst(count)
    droppedCount += count
  }

  // MARK: Asking

  /// What an object was before the event; nil where none of its values was changed.
  func before(_ object: ManagedObject) -> Before? {
    for (other, note) in notes where other === object {
      switch note {
      case .inserted: return .missing
      case .changed(let row): return .row(row)
      case .stepped: continue
      }
    }
    return nil
  }

  /// What an object can have been.
  enum Before {
    /// It was not there.
    case missing
    case row(PackedRow)
  }

  /// The steps of an object's lists by their numbers, in the order in which they were done.
  func steps(of owner: ManagedObject) -> [(number: Int, steps: [ToManyMembers.Step])] {
    var found: [(number: Int, steps: [ToManyMembers.Step])] = []
    for case (let object, .stepped(let step, let number)) in notes where object === owner {
      if let place = found.firstIndex(where: { $0.number == number }) {
        found[place].steps.append(step)
      } else {
        found.append((number, [step]))
      }
    }
    return found
  }
}

@available(*, unavailable) extension EventValues: Sendable {}
