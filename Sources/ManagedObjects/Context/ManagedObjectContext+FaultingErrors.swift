/// The values of an object that could not be read, or one of its lists.
struct UnreadValues {
  let object: ManagedObject
  /// The number of the to-many; nil for the values.
  let toMany: Int?
}

@available(*, unavailable) extension UnreadValues: Sendable {}

extension ManagedObjectContext {
  /// Notes what could not be read when an accessor asked for it.
  func didFail(toRead values: UnreadValues, _ error: any Error) {
    faultingError = faultingError ?? error
    unreadValues.append(values)
  }

  /// Lets what could not be read be read again when it is next asked for.
  func readFailedValuesAgain() {
    faultingError = nil
    for values in unreadValues {
      let object = values.object
      if let toMany = values.toMany {
        object.side.toManys[toMany].unload()
      } else {
        object._state.remove(.gone)
        object.becomeFault()
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
}
