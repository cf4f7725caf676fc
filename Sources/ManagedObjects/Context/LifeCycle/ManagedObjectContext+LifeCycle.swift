import DataModel

/// Calls of the life-cycle methods of objects.
extension ManagedObjectContext {
  /// The maximum number of rounds in which `willSave` may change objects; a save with more traps.
  private static let willSaveLimit = 1000

  /// Calls `willSave` on every object to be saved, and again on those it changes, until none
  /// changes.
  ///
  /// - Precondition: the methods stop changing objects.
  func sendWillSave() {
    guard entities.contains(where: { $0.overridden.contains(.willSave) }) else { return }
    var asked = pendingInserts.filter(\.isInserted) + pendingUpdates.filter(\.isUpdated)
    asked += pendingDeletes.filter(\.isDeleted) + externallyDeletedObjects
    var round = 0
    while true {
      asked.removeAll { !$0._entity.overridden.contains(.willSave) }
      guard let first = asked.first else { break }
      round += 1
      require(
        round <= Self.willSaveLimit,
        """
        \(first._entity.binding.name).willSave changes objects each time it is called: set only \
        what differs, or use setPrimitiveValue(_:forKey:).
        """)
      touched = []
      for object in asked {
        // So that the first change of each object is detected.
        object._state.remove(.writable)
        object.willSave()
      }
      var seen: Set<ObjectIdentifier> = []
      asked = (touched ?? []).filter {
        $0.hasChanges && seen.insert(ObjectIdentifier($0)).inserted
      }
      touched = nil
    }
  }

  /// Calls `awakeFromFetch` on the objects that were fetched since the last call.
  func sendAwakeFromFetch() {
    while !awakened.isEmpty {
      let objects = awakened
      awakened = []
      for object in objects where object._slots != nil {
        object.withoutTracking { object.awakeFromFetch() }
      }
    }
  }

  /// Calls `didSave` on the objects that were saved.
  func sendDidSave(to groups: [[ManagedObject]]) {
    guard entities.contains(where: { $0.overridden.contains(.didSave) }) else { return }
    for group in groups {
      for object in group where object._entity.overridden.contains(.didSave) { object.didSave() }
    }
  }
}

extension ManagedObject {
  /// Records an event that the object is to be notified of, if its class overrides the method.
  func note(_ event: SnapshotEventType) {
    guard _entity.overridden.contains(.awakeFromSnapshotEvents) else { return }
    _state.insert(State(rawValue: UInt32(event.rawValue) << State.firstSnapshotEvent))
  }

  /// Notifies the object of the recorded events, all at once; values that it sets then are no
  /// change.
  func notifySnapshotEvents() {
    let bits = _state.rawValue >> State.firstSnapshotEvent
    guard bits != 0 else { return }
    _state.subtract(State(rawValue: bits << State.firstSnapshotEvent))
    let events = SnapshotEventType(rawValue: UInt(bits))
    // A deleted object has nothing to recompute, unless its deletion is the event.
    let isLeft = !_state.isDisjoint(with: [.detached, .deletedExternally])
    guard _slots != nil, events.contains(.undoInsertion) || !isLeft else { return }
    withoutTracking { awake(fromSnapshotEvents: events) }
  }

  /// Runs a body in which changes of the object's values are not tracked.
  func withoutTracking(_ body: () -> Void) {
    let wasWritable = _state.contains(.writable)
    _state.insert(.writable)
    body()
    guard !wasWritable else { return }
    _state.remove(.writable)
    if !_state.isDisjoint(with: [.inserted, .updated]) {
      _entity.context?.forgetUnsavedValues()
    }
  }
}
