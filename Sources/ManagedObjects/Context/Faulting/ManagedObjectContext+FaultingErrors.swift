@available(*, unavailable) extension UnreadValues: Sendable {}

extension ManagedObjectContext {
  /// Records a part of an object that could not be read when an accessor requested it.
  func didFail(toRead part: UnreadValues.Part, of object: ManagedObject, _ error: any Error) {
    faultingError = faultingError ?? error
    unreadValues.append(UnreadValues(object: object, part: part, error: error))
  }

  /// Throws if values could not be read that a save might depend on.
  ///
  /// A single value whose file cannot be read is known to exist and stays unchanged.
  func checkEverythingRead() throws {
    if let first = unreadValues.first { throw first.error }
  }

  /// Makes everything that could not be read be read again on the next access.
  func readFailedValuesAgain() {
    faultingError = nil
    for values in unreadValues {
      let object = values.object
      switch values.part {
      case .toMany(let number): object.lists.toManys[number].unload()
      case .row:
        observers?.note(object)
        object._state.remove(.detached)
        object.becomeFault()
      case .fetchedProperty: continue
      }
    }
    unreadValues = []
  }
}

extension ManagedObject {
  /// Unregisters this object, which has no row, in favour of the object that its key's row belongs
  /// to.
  func leaveTable() {
    _entity.table.remove(self)
    _state.remove(.registered)
  }

  // MARK: Values in files

  /// Reads a value again whose file could not be read with the row.
  ///
  /// Returns false if there is no value, or if it still cannot be read, which sets `faultingError`.
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

  /// The stored row, including the value of a slot.
  ///
  /// - Throws: `ConflictError` if others have changed the row since it was read: the value would
  ///   not be of the same state as those that are here. Whatever keeps the value from being read;
  ///   `SQLiteError.tooBig` if it can be read alone, but not beside the others of its row.
  private func storedRow(reading slot: Int) throws -> RowReference {
    let (binding, coordinator) = (_entity.binding, requiredContext.persistentStoreCoordinator)
    let version = (_side?.snapshot ?? row).version
    for attempt in 1... {
      guard let found = try coordinator.row(_key, of: binding) else { break }
      let stored = RowReference(found.row, of: coordinator.bindings[found.entity])
      guard stored.entity === binding, stored.row.version == version else { break }
      if !stored.row.isUnreadable(slot) { return stored }
      guard attempt < Self.attemptsToReadValue else { throw SQLiteError.tooBig }
      // Throws the reason; where the value can be read by now, so can the row.
      _ = try coordinator.externalValue(at: slot, of: binding, _key)
    }
    throw ConflictError(objectID: objectID)
  }

  /// How often a row is read whose file of a large value comes and goes.
  private static let attemptsToReadValue = 3

  /// Puts a value in its place that was stored all along.
  private func take(_ slot: Int, from stored: PackedRow) {
    let binding = _entity.binding
    replaceRow(with: row.taking(slot, from: stored, of: binding))
    if let snapshot = _side?.snapshot, snapshot.isUnreadable(slot) {
      side.snapshot = snapshot.taking(slot, from: stored, of: binding)
    }
  }
}
