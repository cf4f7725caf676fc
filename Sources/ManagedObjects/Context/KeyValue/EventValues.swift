/// What the objects of a context were before the current event, for
/// `changedValuesForCurrentEvent()`.
///
/// There is none until an event ends that leaves something to save, or is told to observers: as
/// long as an event lasts since the last save, the snapshots say it all.
final class EventValues {
  /// Something that happened to an object.
  private enum Note {
    case inserted
    /// It is going to be deleted.
    case deleted
    /// Its values are going to be changed; these are they.
    case changed(PackedRow)
    /// One of its lists has changed.
    case stepped(ToManyMembers.Step, number: Int)
  }

  private var notes: ContiguousArray<(object: ManagedObject, note: Note, wasThere: Bool)> = []
  private var droppedCount = 0
  /// The keys that were given to objects which are in rows under their temporary ones.
  private var permanentKeys: [Int64: Int64] = [:]
  /// Where the event begins that is not being told any more; nil while none is being told.
  private var next: Int?
  /// Whether the event began with the last save.
  private(set) var beganWithSave = true

  deinit { drop(until: mark) }

  // MARK: Noting

  /// Notes an object that is new, or comes back.
  func didInsert(_ object: ManagedObject) { notes.append((object, .inserted, false)) }

  func willDelete(_ object: ManagedObject) { append(object, .deleted) }

  /// Keeps the values of an object before a change.
  func willChange(_ object: ManagedObject) {
    append(object, .changed(object.row.copy(slotCount: object._entity.binding.slotCount)))
  }

  func didStep(_ step: ToManyMembers.Step, in number: Int, of owner: ManagedObject) {
    append(owner, .stepped(step, number: number))
  }

  private func append(_ object: ManagedObject, _ note: Note) {
    notes.append((object, note, object.isThere))
  }

  /// Notes the keys that objects have got; to-ones lead to them once a row is asked for.
  func replaceTemporaryKeys(with keys: PermanentKeys) {
    guard !notes.isEmpty else { return }
    for (temporary, key) in keys.given { permanentKeys[temporary] = key }
  }

  // MARK: Events

  /// What stands for everything that was noted so far.
  var mark: Int { droppedCount + notes.count }

  /// The mark of an event that is told now; it is there for those who ask until `endEvent(at:)`.
  func beginTelling() -> Int {
    next = mark
    return mark
  }

  /// What the event has touched so far, each object once, and whether it was there before; nil
  /// where it began with the last save, and not everything was noted.
  var touched: [(object: ManagedObject, wasThere: Bool)]? {
    guard !beganWithSave || next != nil else { return nil }
    var seen: Set<ManagedObject> = []
    return notes.dropFirst(max((next ?? 0) - droppedCount, 0)).compactMap { object, _, wasThere in
      seen.insert(object).inserted ? (object, wasThere) : nil
    }
  }

  /// Has the next change of each of a context's objects be noted.
  func listen(to objects: [ManagedObject]) {
    for object in objects { object._state.remove(.writable) }
  }

  /// Ends the event that had come so far when the mark was taken.
  func endEvent(at mark: Int) {
    drop(until: mark)
    next = nil
    beganWithSave = false
  }

  private func drop(until mark: Int) {
    let count = max(mark - droppedCount, 0)
    for (object, note, _) in notes.prefix(count) {
      object._state.remove(.writable)
      guard case .changed(let row) = note else { continue }
      row.free(slotCount: object._entity.binding.slotCount)
    }
    notes.removeFirst(count)
    droppedCount += count
    if notes.isEmpty { permanentKeys = [:] }
  }

  // MARK: Asking

  /// What an object was before the event; nil where none of its values was changed.
  func before(_ object: ManagedObject) -> Before? {
    var wasDeleted = false
    for (other, note, _) in notes where other === object {
      switch note {
      case .inserted: if !wasDeleted { return .missing }
      case .deleted: wasDeleted = true
      case .changed(let row):
        for toOne in object._entity.binding.toOnes {
          row.renewToOne(toOne.slot, with: permanentKeys)
        }
        return .row(row)
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
    for case (let object, .stepped(let step, let number), _) in notes where object === owner {
      if let index = found.firstIndex(where: { $0.number == number }) {
        found[index].steps.append(step)
      } else {
        found.append((number, [step]))
      }
    }
    return found
  }
}

@available(*, unavailable) extension EventValues: Sendable {}
