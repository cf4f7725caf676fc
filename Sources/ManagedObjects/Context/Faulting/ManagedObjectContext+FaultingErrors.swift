/// What of an object could not be read.
struct UnreadValues {
  enum Part {
    case row
    /// The to-many of a number.
    case toMany(Int)
    case fetchedProperty
  }

  let object: ManagedObject
  let part: Part
  let error: any Error
}

@available(*, unavailable) extension UnreadValues: Sendable {}

extension ManagedObjectContext {
  /// Notes what could not be read when an accessor asked for it.
  func didFail(toRead part: UnreadValues.Part, of object: ManagedObject, _ error: any Error) {
    faultingError = faultingError ?? error
    unreadValues.append(UnreadValues(object: object, part: part, error: error))
  }

  /// Makes sure that nothing is saved which rests on values that could not be read.
  ///
  /// A single value whose file cannot be read is known to be there and stays as it is.
  func checkEverythingRead() throws {
    if let first = unreadValues.first { throw first.error }
  }

  /// Lets what could not be read be read again when it is next asked for.
  func readFailedValuesAgain() {
    faultingError = nil
    for values in unreadValues {
      let object = values.object
      switch values.part {
      case .toMany(let number): object.lists.toManys[number].unload()
      case .row:
        observers?.note(object)
        object._state.remove(.gone)
        object.becomeFault()
      case .fetchedProperty: continue
      }
    }
    unreadValues = []
  }
}

extension ManagedObject {
  /// Makes way for the object whose row this one's key is; this one has none.
  func leaveTable() {
    _entity.table.remove(_key)
    _state.remove(.registered)
  }

  // MARK: Values in files

  /// Tries once more to read a value whose file could not be read with the row; false where there
  /// is no value, or where it still cannot be read, which `faultingError` tells then.
  @usableFromInline
  func _readsUnreadable(_ slot: Int) -> Bool {
    let binding = _entity.binding
    guard binding.kinds[slot] == .external, _entity.probe == nil, row.isUnreadable(slot) else {
      return false
    }
    let context = requiredContext
    do {
      let stored = try storedRow(reading: slot)
      withExtendedLifetime(stored) { take(slot, from: stored.row) }
      return row.hasValue(slot)
    } catch {
      context.faultingError = context.faultingError ?? error
      return false
    }
  }

  /// The row as it is stored, the value of a slot with it.
  ///
  /// - Throws: `ConflictError` where others have changed the row since it was read: the value would
  ///   not be of the same state as those that are here. Whatever keeps the value from being read.
  private func storedRow(reading slot: Int) throws -> HeldRow {
    let (binding, coordinator) = (_entity.binding, requiredContext.persistentStoreCoordinator)
    let version = (_side?.snapshot ?? row).version
    while let found = try coordinator.row(_key, of: binding) {
      let stored = HeldRow(found.row, of: coordinator.bindings[found.entity])
      guard stored.entity === binding, stored.row.version == version else { break }
      if !stored.row.isUnreadable(slot) { return stored }
      // Tells why; where it can be read by now, so can the row.
      _ = try coordinator.externalValue(at: slot, of: binding, _key)
    }
    throw ConflictError(objectID: objectID)
  }

  /// Puts a value in its place that was stored all along.
  private func take(_ slot: Int, from stored: PackedRow) {
    let binding = _entity.binding
    replaceRow(with: row.taking(slot, from: stored, of: binding))
    if let snapshot = _side?.snapshot, snapshot.isUnreadable(slot) {
      side.snapshot = snapshot.taking(slot, from: stored, of: binding)
    }
  }
}
