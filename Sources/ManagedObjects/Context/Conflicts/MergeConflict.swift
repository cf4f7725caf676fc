import DataModel

/// An object whose row was changed or deleted elsewhere since it was read here.
///
///     conflict.objectSnapshot["name"]                     // as it was read: "Fido"
///     conflict.persistedSnapshot?["name"]                 // as it is stored now: "Rex"
///     conflict.sourceObject.value(forKey: "name")         // as it is here: "Fido the First"
///
/// The snapshots have the values of attributes, as `value(forKey:)` returns them except for
/// transformed ones, which are bytes, and the IDs of to-one destinations; properties without a
/// value are omitted. Follows Core Data's `NSMergeConflict`; there is no cache between context and
/// store, so the cached values are those that this context read, as in the object's snapshot.
public struct MergeConflict {
  /// The object, in the context that is being saved.
  public let sourceObject: ManagedObject
  /// The row's optimistic-lock count when it was read.
  public let oldVersionNumber: Int
  /// The row's optimistic-lock count now; 0 if the row was deleted.
  public let newVersionNumber: Int
  let persisted: RowReference?

  /// The values when they were last read or saved here, without unsaved changes.
  public var objectSnapshot: [String: any Sendable] { sourceObject.committedSnapshot }

  /// The same values: there is no cache that could hold different ones.
  public var cachedSnapshot: [String: any Sendable] { objectSnapshot }

  /// The values as they are stored now; nil if the row was deleted.
  public var persistedSnapshot: [String: any Sendable]? {
    persisted.map { sourceObject.values(of: $0.row) }
  }
}

@available(*, unavailable) extension MergeConflict: Sendable {}

// MARK: Resolving

extension MergeConflict {
  /// Resolves the conflict by a rule.
  func resolve(_ rule: MergePolicy.MergePolicyType) throws {
    let object = sourceObject
    guard !object._state.contains(.detached) else { return }
    let context = object.requiredContext
    switch (rule, persisted) {
    case (.error, _): return
    case (_, nil) where object._state.contains(.deleted):
      // Both sides deleted the object.
      object.end()
    case (.mergeByPropertyObjectTrump, nil) where object._slots != nil,
      (.overwrite, nil) where object._slots != nil:
      object.end()
      object.reviveAtEnd()
    case (_, nil):
      context.delete(object)
      object.end()
      context.cutLinks(to: object)
    case (.mergeByPropertyObjectTrump, let persisted?):
      if object._state.contains(.deleted) { return object.rebase(on: persisted.row) }
      try context.takeOver(persisted, by: object)
      object.note(.mergePolicy)
    case (.overwrite, let persisted?): object.rebase(on: persisted.row)
    case (.mergeByPropertyStoreTrump, let persisted?):
      if object._state.contains(.deleted) {
        try context.acceptStoredRow(persisted, of: object)
      } else {
        object.yield(to: persisted.row)
        try context.takeOver(persisted, by: object)
      }
      object.note(.mergePolicy)
    case (.rollback, let persisted?):
      try context.acceptStoredRow(persisted, of: object)
      object.note(.mergePolicy)
    }
  }
}

extension ManagedObjectContext {
  /// Discards an object's unsaved changes, or its deletion, in favour of the stored row.
  fileprivate func acceptStoredRow(_ stored: RowReference, of object: ManagedObject) throws {
    var left: [(owner: ManagedObject, number: Int)] = []
    let old = object._side?.snapshot ?? object.row
    for toOne in object._entity.binding.toOnes where old.hasValue(toOne.slot) {
      guard case .toMany(let number) = toOne.inverse,
        let owner = registeredObject(old.integer(toOne.slot), of: toOne.destination)
      else { continue }
      if object._state.contains(.deleted) { owner._lists?.toManys[number].restore(object) }
      if !stored.row.isEqual(toOne.slot, to: old, isTail: false) { left.append((owner, number)) }
    }
    try refresh(object, mergeChanges: false)
    for (owner, number) in left { owner._lists?.toManys[number].drop(object) }
    var merge = RowMerge(context: self)
    merge.fulfill(object, with: stored)
    try merge.finish()
  }

  /// Merges the stored row into an object; properties that were changed here keep their values.
  fileprivate func takeOver(_ stored: RowReference, by object: ManagedObject) throws {
    // The row is not read again: if it was deleted since, the changes made here would be lost.
    var merge = RowMerge(context: self)
    merge.refresh(object, with: stored)
    try merge.finish()
    observers?.noteRefresh(object)
  }
}

extension ManagedObject {
  /// Makes a stored row the snapshot that changes are compared with.
  ///
  /// The object's values stay, except values in files that could not be read, which are taken from
  /// the row.
  func rebase(on stored: PackedRow) {
    // A fault passed to `detectConflicts(for:)` has no values.
    guard _slots != nil else { return }
    let count = _entity.binding.slotCount
    var row = row
    if !_state.contains(.deleted) || _side?.snapshot != nil {
      side.snapshot?.free(slotCount: count)
      let snapshot = stored.copy(slotCount: count)
      // Values that are not stored are taken from the object.
      for slot in _entity.binding.storedSlotCount..<count
      where !_entity.binding.kinds[slot].isTail {
        snapshot.setBits(row.bits(slot), slot)
        snapshot.setHasValue(row.hasValue(slot), slot)
      }
      side.snapshot = snapshot
      for slot in _entity.binding.externalSlots where row.isUnreadable(slot) {
        row = row.taking(slot, from: snapshot, of: _entity.binding)
      }
      replaceRow(with: row)
      for toOne in _entity.binding.toOnes {
        guard let slot = toOne.orderKeySlot else { continue }
        row.takeOrderKey(slot, of: toOne, from: snapshot)
      }
    }
    row.version = stored.version
    if _state.isDisjoint(with: .deleted) { requiredContext.didUpdate(self) }
  }

  /// Discards the changes of properties that were changed in the store too.
  fileprivate func yield(to stored: PackedRow) {
    guard let snapshot = _side?.snapshot else { return }
    requiredContext.observers?.note(self)
    let binding = _entity.binding
    for slot in 0..<binding.storedSlotCount {
      let isTail = binding.kinds[slot].isTail
      guard !stored.isEqual(slot, to: snapshot, isTail: isTail),
        !row.isEqual(slot, to: snapshot, isTail: isTail)
      else { continue }
      switch binding.kinds[slot] {
      case .entityNumber, .orderKey: continue
      case .key:
        guard let toOne = binding.toOnesBySlot[slot] else { continue }
        let key = snapshot.hasValue(slot) ? snapshot.integer(slot) : nil
        let old = key.map { requiredContext.object($0, at: toOne, in: snapshot) }
        setToOne(
          old?._state.isDisjoint(with: [.deleted, .detached]) == true ? old : nil, slot: slot)
        if let orderKey = toOne.orderKeySlot, snapshot.hasValue(orderKey) {
          row.setBits(snapshot.bits(orderKey), orderKey)
        }
      default: replaceRow(with: row.taking(slot, from: snapshot, of: binding))
      }
    }
  }

  /// The values as last read or saved, by name; empty for an object that never was.
  var committedSnapshot: [String: any Sendable] {
    _state.contains(.inserted) ? [:] : values(of: _side?.snapshot ?? row)
  }

  /// The values of a row of this object's entity by name.
  func values(of row: PackedRow) -> [String: any Sendable] {
    var values: [String: any Sendable] = [:]
    let binding = _entity.binding
    for slot in 0..<binding.storedSlotCount {
      guard row.hasValue(slot) else { continue }
      switch binding.slots[slot] {
      case .attribute(let attribute):
        values[attribute.name] =
          row.value(at: slot, type: attribute.type)?.anyValue(of: attribute.type)
      case .toOne(let relationship):
        guard let toOne = binding.toOnesBySlot[slot] else { continue }
        values[relationship.name] =
          requiredContext.object(row.integer(slot), at: toOne, in: row).objectID
      case .toOneEntity, .orderKey: continue
      }
    }
    return values
  }
}
