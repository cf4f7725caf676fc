/// Finds a context's changed objects by the temporary keys that their to-ones refer to.
///
/// It is used if there are many of them. As with `UnsavedValues`, an object that is entered is no
/// longer `writable`: so the context is notified before a to-one is written again, and the object
/// is entered anew at the next look-up. Entries may be out of date, since the rows are checked.
/// Each object is entered once, and a look-up takes time in proportion to its result.
final class TemporaryKeyIndex {
  // No code outside is called while one of these is being changed: see ManagedObject's fields.
  @exclusivity(unchecked) private var objects: [Int64: [ManagedObject]] = [:]
  @exclusivity(unchecked) private var enteredInserts = 0
  @exclusivity(unchecked) private var enteredUpdates = 0
  @exclusivity(unchecked) private var enteredDeletes = 0
  @exclusivity(unchecked) private var rewritten: [ManagedObject] = []

  /// Records an object whose values are about to be written.
  func willWrite(_ object: ManagedObject) { rewritten.append(object) }

  /// Removes and returns the objects that refer to some keys; these become permanent.
  func takeObjects(
    leadingTo keys: [Int64], in context: ManagedObjectContext
  ) -> [ManagedObject] {
    let (inserts, updates, deletes) = (
      context.pendingInserts, context.pendingUpdates, context.pendingDeletes
    )
    for index in enteredInserts..<inserts.count { enter(inserts[index]) }
    for index in enteredUpdates..<updates.count { enter(updates[index]) }
    for index in enteredDeletes..<deletes.count { enter(deletes[index]) }
    (enteredInserts, enteredUpdates, enteredDeletes) = (inserts.count, updates.count, deletes.count)
    for object in rewritten { enter(object) }
    rewritten.removeAll()
    return keys.flatMap { objects.removeValue(forKey: $0) ?? [] }
  }

  private func enter(_ object: ManagedObject) {
    object._state.remove(.writable)
    object.forEachTemporaryEnd { objects[$0, default: []].append(object) }
  }
}

@available(*, unavailable) extension TemporaryKeyIndex: Sendable {}
