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
      let value = try context.persistentStoreCoordinator.externalValue(
        at: slot, of: binding, _key)
      fill(slot, with: value)
      return value != nil
    } catch {
      context.faultingError = context.faultingError ?? error
      return false
    }
  }

  /// Puts a value in its place that was stored all along.
  private func fill(_ slot: Int, with value: [UInt8]?) {
    let binding = _entity.binding
    func filled(_ row: PackedRow) -> PackedRow {
      guard let value else {
        return row.replacingBytes(
          slot, with: nil, slotCount: binding.slotCount, tailSlots: binding.tailSlots)
      }
      return value.withUnsafeBytes {
        row.replacingBytes(
          slot, with: $0, slotCount: binding.slotCount, tailSlots: binding.tailSlots)
      }
    }
    replaceRow(with: filled(row))
    if let snapshot = _side?.snapshot, snapshot.isUnreadable(slot) {
      side.snapshot = filled(snapshot)
    }
  }
}
