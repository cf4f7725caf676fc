/// Finds a context's unsaved objects by the value of one attribute, if there are many of them.
///
/// An object that is entered is no longer `writable`: so the context is notified before its value
/// is written again, and it is entered anew at the next look-up. Entries may be out of date, since
/// each match is compared again. A look-up is O(1), and each object is entered once.
final class UnsavedValues {
  /// The index of the entity that has the attribute; its subentities are included.
  let entity: Int
  let slot: Int
  // No code outside is called while one of these is being changed: see ManagedObject's fields.
  /// The object that was entered first, by the hash of its value.
  @exclusivity(unchecked) private var objects: [Int: ManagedObject] = [:]
  /// Objects whose hash was already used by another one.
  @exclusivity(unchecked) private var others: [ManagedObject] = []
  @exclusivity(unchecked) private var enteredInserts = 0
  @exclusivity(unchecked) private var enteredUpdates = 0
  @exclusivity(unchecked) private var rewritten: [ManagedObject] = []

  init(entity: Int, slot: Int) {
    self.entity = entity
    self.slot = slot
    objects.reserveCapacity(256)
  }

  /// Records an object whose values are about to be written.
  func willWrite(_ object: ManagedObject) { rewritten.append(object) }

  /// The unsaved object that has a value and meets a condition, or nil.
  func object(
    with value: Scalar, in context: ManagedObjectContext, where fits: (ManagedObject) -> Bool
  ) -> ManagedObject? {
    let binding = context.binding(at: entity)
    let kind = binding.kinds[slot]
    func hash(_ row: PackedRow) -> Int {
      switch kind {
      case .text, .blob, .external: hash(row.bytes(slot))
      case .real: row.real(slot).hashValue
      default: row.integer(slot).hashValue
      }
    }
    func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
      var hasher = Hasher()
      hasher.combine(bytes: bytes)
      return hasher.finalize()
    }
    func enter(_ object: ManagedObject) {
      guard let slots = object._slots, binding.family.contains(object._entity.binding.index) else {
        return
      }
      object._state.remove(.writable)
      let row = PackedRow(slots: slots)
      guard row.hasValue(slot) else { return }
      let hash = hash(row)
      let first = objects.updateValue(object, forKey: hash)
      if let first, first !== object {
        objects[hash] = first
        others.append(object)
      }
    }
    let (inserts, updates) = (context.pendingInserts, context.pendingUpdates)
    for index in enteredInserts..<inserts.count { enter(inserts[index]) }
    for index in enteredUpdates..<updates.count { enter(updates[index]) }
    (enteredInserts, enteredUpdates) = (inserts.count, updates.count)
    if !rewritten.isEmpty {
      for object in rewritten { enter(object) }
      rewritten.removeAll()
    }
    let wanted =
      switch value {
      case .integer(let number): number.hashValue
      case .real(let number): number.hashValue
      case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes(hash)
      }
    if let first = objects[wanted], fits(first) { return first }
    return others.first(where: fits)
  }
}

@available(*, unavailable) extension UnsavedValues: Sendable {}

extension ManagedObjectContext {
  /// Discards the tables that find unsaved objects by value; they are rebuilt when needed.
  func forgetUnsavedValues() {
    unsavedValues.removeAll()
    temporaryEnds = nil
  }

  /// The unsaved object that has a value in a slot and meets a condition, or nil.
  func unsavedObject(
    of entity: EntityBinding, with value: Scalar, at slot: Int,
    where fits: (ManagedObject) -> Bool
  ) -> ManagedObject? {
    // A few objects are searched one by one.
    guard pendingInserts.count + pendingUpdates.count > 16 else {
      return pendingInserts.first(where: fits) ?? pendingUpdates.first(where: fits)
    }
    if let known = unsavedValues.first(where: { $0.entity == entity.index && $0.slot == slot }) {
      return known.object(with: value, in: self, where: fits)
    }
    let values = UnsavedValues(entity: entity.index, slot: slot)
    unsavedValues.append(values)
    return values.object(with: value, in: self, where: fits)
  }
}

extension ManagedObject {
  /// Replaces the row as a whole; the caller must free the old one.
  func replaceRow(with row: PackedRow) {
    _slots = row.slots
    _entity.context?.forgetUnsavedValues()
  }
}
