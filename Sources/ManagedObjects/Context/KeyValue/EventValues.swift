/// The state of a context's objects before the current event, for `changedValuesForCurrentEvent()`.
///
/// There is none until an event ends that leaves something to save, or is reported to observers: as
/// long as the current event began with the last save, the snapshots have the earlier values.
final class EventValues {
  /// A change of an object.
  private enum Note {
    case inserted
    /// The object is about to be deleted.
    case deleted
    /// The object's values are about to be changed; with the values before.
    case changed(PackedRow)
    /// One of its lists has changed.
    case stepped(ToManyMembers.Step, number: Int)
  }

  private var notes: ContiguousArray<(object: ManagedObject, note: Note, existedBefore: Bool)> = []
  /// Where the notes of each object stand; nil until one is looked for, and after each new note.
  private var indexes: [ObjectIdentifier: [Int]]?
  private var droppedCount = 0
  /// The permanent keys that were assigned to objects that recorded rows refer to by temporary
  /// keys.
  private var permanentKeys: [Int64: Int64] = [:]
  /// The mark at which the event after the reported one begins; nil while none is being reported.
  private var next: Int?
  /// Whether the event began with the last save.
  private(set) var beganWithSave = true

  deinit { drop(until: mark) }

  // MARK: Recording

  /// Notes an object that is new, or comes back.
  func didInsert(_ object: ManagedObject) { append(object, .inserted, existedBefore: false) }

  func willDelete(_ object: ManagedObject) {
    append(object, .deleted, existedBefore: object.exists)
  }

  /// Records the values of an object before a change.
  func willChange(_ object: ManagedObject) {
    append(
      object, .changed(object.row.copy(slotCount: object._entity.binding.slotCount)),
      existedBefore: object.exists)
  }

  func didStep(_ step: ToManyMembers.Step, in number: Int, of owner: ManagedObject) {
    append(owner, .stepped(step, number: number), existedBefore: owner.exists)
  }

  private func append(_ object: ManagedObject, _ note: Note, existedBefore: Bool) {
    indexes = nil
    notes.append((object, note, existedBefore))
  }

  /// Records the permanent keys of objects; to-ones are updated once a row is read.
  func replaceTemporaryKeys(with keys: PermanentKeys) {
    guard !notes.isEmpty else { return }
    for (temporary, key) in keys.given { permanentKeys[temporary] = key }
  }

  // MARK: Events

  /// A mark after everything that was recorded so far.
  var mark: Int { droppedCount + notes.count }

  /// The mark of an event that is reported now; its values are available until `endEvent(at:)`.
  func beginTelling() -> Int {
    next = mark
    return mark
  }

  /// The objects changed in the event so far, without duplicates, and whether each existed before.
  ///
  /// nil if the event began with the last save, and not every change was recorded.
  var touched: [(object: ManagedObject, existedBefore: Bool)]? {
    guard !beganWithSave || next != nil else { return nil }
    var seen: Set<ManagedObject> = []
    return notes.dropFirst(max((next ?? 0) - droppedCount, 0)).compactMap {
      object, _, existedBefore in
      seen.insert(object).inserted ? (object, existedBefore) : nil
    }
  }

  /// Makes the next change of each of a context's objects be recorded.
  func listen(to objects: [ManagedObject]) {
    for object in objects { object._state.remove(.writable) }
  }

  /// Ends the event that lasted up to a mark.
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
    indexes = nil
    droppedCount += count
    if notes.isEmpty { permanentKeys = [:] }
  }

  // MARK: Queries

  /// The notes of an object, in their order: all are looked through once for many objects.
  private func notes(of object: ManagedObject) -> [Note] {
    if indexes == nil {
      var found: [ObjectIdentifier: [Int]] = [:]
      for (index, entry) in notes.enumerated() {
        found[ObjectIdentifier(entry.object), default: []].append(index)
      }
      indexes = found
    }
    return (indexes?[ObjectIdentifier(object)] ?? []).map { notes[$0].note }
  }

  /// What an object was before the event; nil if none of its values was changed.
  func before(_ object: ManagedObject) -> Before? {
    var wasDeleted = false
    for note in notes(of: object) {
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

  /// The state of an object before an event.
  enum Before {
    /// The object did not exist.
    case missing
    case row(PackedRow)
  }

  /// The steps of an object's lists by number, in the order in which they were made.
  func steps(of owner: ManagedObject) -> [(number: Int, steps: [ToManyMembers.Step])] {
    var found: [(number: Int, steps: [ToManyMembers.Step])] = []
    for case .stepped(let step, let number) in notes(of: owner) {
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
