import DataModel

/// One save of a child into its parent: the same changes, made to the parent's objects.
///
/// They are made through the parent's own relationships, so that the parent's other changes stay
/// consistent: first to-ones in the order of the lists that contain their objects, then links, then
/// the order of lists, deletions last.
struct ParentSave {
  private let parent: ManagedObjectContext
  private let inserted: [ManagedObject]
  private let updated: [ManagedObject]
  private let deleted: [ManagedObject]
  private let checks: [ConflictCheck]
  /// The counterpart in the parent for each object that was looked up; none if it is deleted there.
  private var counterparts: [ManagedObject: ManagedObject] = [:]
  /// The parent's objects that were deleted before they got a row, and are inserted again here.
  private var reinserted: [ManagedObject] = []
  /// The new members of ordered join-table lists in the child that the parent's lists do not have.
  private var newMembers: [ManagedObject: [Int: [ManagedObject]]] = [:]

  init(
    parent: ManagedObjectContext, inserted: [ManagedObject], updated: [ManagedObject],
    deleted: [ManagedObject], checks: [ConflictCheck]
  ) {
    self.parent = parent
    self.inserted = inserted
    self.updated = updated.filter(\.hasChangesToSave)
    self.deleted = deleted
    self.checks = checks
  }

  /// Makes all changes, or none.
  ///
  /// - Throws: `ConflictError` if the parent no longer has objects that were changed here, or that
  ///   a changed one refers to, or still has one whose deletion was undone here, or has other
  ///   values of one passed to `detectConflicts(for:)`; `PersistentStoreError` if that cannot be
  ///   read.
  mutating func run() throws {
    try findCounterparts()
    for check in checks {
      if let counterpart = counterparts[check.object] { parent.detectConflicts(for: counterpart) }
    }
    for object in reinserted { object.end() }
    for object in inserted { counterparts[object] = parent.insertCounterpart(of: object) }
    for object in updated { counterpart(of: object)?.copyAttributes(from: object) }
    for object in inserted + updated { findNewMembers(of: object) }
    for object in inserted + updated { fillLists(of: object) }
    for object in inserted + updated { setToOnes(of: object) }
    for object in inserted + updated { arrangeLists(of: object) }
    for object in deleted {
      if let counterpart = counterpart(of: object) { parent.delete(counterpart) }
    }
    for object in inserted + updated where object._slots != nil {
      let counterpart = counterpart(of: object)
      object.row.version = counterpart?.row.version ?? 0
      if let counterpart { parent.noteTemporaryKeys(of: counterpart, with: object) }
    }
  }

  /// The objects whose state in the parent after the save the child knows.
  ///
  /// A deletion by this save may have cascaded to an object that the child has changed.
  var known: [ManagedObject] {
    deleted + (inserted + updated).filter { counterpart(of: $0) != nil }
  }

  // MARK: Preparation

  /// Looks up every object that the changes need, so that nothing has to be read after they have
  /// begun.
  private mutating func findCounterparts() throws {
    var missing: [ManagedObjectID] = []
    for object in inserted {
      guard let counterpart = parent.registeredObject(for: object.objectID) else { continue }
      if counterpart._state.isSuperset(of: [.inserted, .deleted]) {
        reinserted.append(counterpart)
      } else {
        // The parent has an unsaved deletion of the object, which was undone here.
        missing.append(object.objectID)
      }
    }
    for object in updated where try !findCounterpart(of: object) { missing.append(object.objectID) }
    for object in deleted { _ = try findCounterpart(of: object) }
    for check in checks {
      guard try findCounterpart(of: check.object), let counterpart = counterparts[check.object],
        check.isMet(by: counterpart.row)
      else {
        missing.append(check.object.objectID)
        continue
      }
    }
    let new = Set(inserted)
    for object in inserted + updated {
      let links = object.changedLinks
      let ends = object.changedToOnes.compactMap { object.toOne($0.slot) } + links.added
      for end in ends where !new.contains(end) {
        if try !findCounterpart(of: end) { missing.append(end.objectID) }
      }
      for member in links.removed { _ = try findCounterpart(of: member) }
    }
    guard missing.isEmpty else { throw ConflictError(objectIDs: missing) }
  }

  /// Looks up the counterpart in the parent; false if it is deleted there.
  private mutating func findCounterpart(of object: ManagedObject) throws -> Bool {
    guard counterparts[object] == nil else { return true }
    do {
      let counterpart = try parent.existingObject(with: object.objectID)
      guard counterpart._entity.binding === object._entity.binding else { return false }
      counterparts[object] = counterpart
      return true
    } catch PersistentStoreError.objectNotFound {
      return false
    }
  }

  /// The counterpart in the parent; nil if it is deleted there.
  private func counterpart(of object: ManagedObject) -> ManagedObject? {
    let counterpart = counterparts[object] ?? parent.registeredObject(for: object.objectID)
    return counterpart?.exists == true ? counterpart : nil
  }

  // MARK: Relationships

  /// Determines which members of ordered join-table lists are new to the parent, before any is
  /// linked.
  private mutating func findNewMembers(of owner: ManagedObject) {
    guard let lists = owner._lists, let counterpart = counterpart(of: owner) else { return }
    for toMany in owner._entity.binding.toManys
    where toMany.description.isOrdered && lists.toManys[toMany.number].isChanged {
      if case .foreignKey = toMany.storage { continue }
      let added = lists.toManys[toMany.number].changes.added.compactMap { self.counterpart(of: $0) }
      newMembers[owner, default: [:]][toMany.number] = added.filter {
        counterpart._lists?.toManys[toMany.number].contains($0) != true
      }
    }
  }

  /// Adds new members to lists in the order that they have in the child.
  private func fillLists(of owner: ManagedObject) {
    guard let lists = owner._lists, let counterpart = counterpart(of: owner) else { return }
    for toMany in owner._entity.binding.toManys where lists.toManys[toMany.number].isChanged {
      let changes = lists.toManys[toMany.number].changes
      switch toMany.storage {
      case .foreignKey(let slot):
        for member in changes.added where member._state.isDisjoint(with: [.deleted, .detached]) {
          guard let member = self.counterpart(of: member) else { continue }
          // A member that was removed from a list and added again while it was not loaded is at its
          // end now.
          if toMany.description.isOrdered { counterpart.unlink(member, toMany) }
          member.setToOne(counterpart, slot: slot)
        }
      case .join, .memory:
        for member in changes.removed {
          if let member = self.counterpart(of: member) { counterpart.unlink(member, toMany) }
        }
        for member in changes.added {
          if let member = self.counterpart(of: member) { counterpart.link(member, toMany) }
        }
      }
    }
  }

  private func setToOnes(of object: ManagedObject) {
    guard let counterpart = counterpart(of: object) else { return }
    for toOne in object.changedToOnes {
      counterpart.setToOne(
        object.toOne(toOne.slot).flatMap { self.counterpart(of: $0) }, slot: toOne.slot)
    }
  }

  /// Rearranges lists in the order that they have in the child.
  private func arrangeLists(of owner: ManagedObject) {
    guard let lists = owner._lists, let counterpart = counterpart(of: owner) else { return }
    for toMany in owner._entity.binding.toManys
    where toMany.description.isOrdered && lists.toManys[toMany.number].isChanged {
      if lists.toManys[toMany.number].isReordered {
        arrangeAll(toMany, of: counterpart, as: lists.toManys[toMany.number].members)
        continue
      }
      // A foreign-key list was filled in its own order already.
      if case .foreignKey = toMany.storage { continue }
      arrange(newMembers[owner]?[toMany.number] ?? [], of: toMany, in: counterpart)
    }
  }

  /// Rearranges a list in the child's order; members that only the parent has come last.
  private func arrangeAll(
    _ toMany: EntityBinding.ToMany, of counterpart: ManagedObject, as objects: [ManagedObject]
  ) {
    counterpart.loaded(toMany)
    let members = counterpart.lists.toManys[toMany.number].members
    let wanted = objects.compactMap { self.counterpart(of: $0) }
    let present = Set(members)
    let known = Set(wanted)
    let order = wanted.filter { present.contains($0) } + members.filter { !known.contains($0) }
    counterpart.replaceAll(of: toMany, with: order)
  }

  /// Moves the members that were added in the child to the end of a list, in the child's order.
  ///
  /// A link that was made from the member's side was added in the order of that side.
  private func arrange(
    _ added: [ManagedObject], of toMany: EntityBinding.ToMany, in counterpart: ManagedObject
  ) {
    let last = counterpart.lists.toManys[toMany.number].members.suffix(added.count)
    guard !last.elementsEqual(added, by: ===) else { return }
    for member in added {
      guard counterpart.removeMember(member, from: toMany.number) else { continue }
      counterpart.addMember(member, to: toMany.number)
    }
    parent.didUpdate(counterpart)
  }
}

extension ManagedObject {
  /// The to-ones whose destinations have changed since the last save.
  fileprivate var changedToOnes: [EntityBinding.ToOne] {
    guard _slots != nil else { return [] }
    return _entity.binding.toOnes.filter { toOne in
      guard let snapshot = _side?.snapshot else {
        return _state.contains(.inserted) && row.hasValue(toOne.slot)
      }
      return !row.isEqual(toOne.slot, to: snapshot, isTail: false)
    }
  }

  /// The members that were added to and removed from to-manys that are stored in a join table.
  fileprivate var changedLinks: (added: [ManagedObject], removed: [ManagedObject]) {
    var links: (added: [ManagedObject], removed: [ManagedObject]) = ([], [])
    guard let _lists else { return links }
    for toMany in _entity.binding.toManys where _lists.toManys[toMany.number].isChanged {
      if case .foreignKey = toMany.storage { continue }
      let changes = _lists.toManys[toMany.number].changes
      links.added += changes.added.filter(\.exists)
      links.removed += changes.removed
    }
    return links
  }

  /// Copies the attributes that were changed in the child.
  fileprivate func copyAttributes(from object: ManagedObject) {
    guard object._slots != nil, let snapshot = object._side?.snapshot else { return }
    for slot in _entity.binding.slots.indices {
      guard case .attribute = _entity.binding.slots[slot],
        !object.row.isEqual(slot, to: snapshot, isTail: _entity.binding.kinds[slot].isTail)
      else { continue }
      copyAttribute(slot, from: object.row)
    }
    if !object.side.values.isEmpty { side.values.merge(object.side.values) { _, new in new } }
  }

  private func copyAttribute(_ slot: Int, from row: PackedRow) {
    guard row.hasValue(slot) else { return _clear(slot) }
    if _entity.binding.kinds[slot].isTail {
      _writeBytes(row.bytes(slot), slot)
    } else {
      _writeBits(row.bits(slot), slot)
    }
  }
}

extension ManagedObjectContext {
  /// Inserts the counterpart of an object inserted in a child, with the same temporary key, no
  /// to-ones.
  fileprivate func insertCounterpart(of object: ManagedObject) -> ManagedObject {
    let binding = object._entity.binding
    let row = object.row.copy(slotCount: binding.slotCount)
    for toOne in binding.toOnes {
      for slot in [toOne.slot, toOne.entitySlot, toOne.orderKeySlot].compactMap({ $0 }) {
        row.setHasValue(false, slot)
      }
    }
    let entity = contextEntity(at: binding.index)
    let counterpart = entity.objectClass.init(
      _fault: object._key, of: ManagedObject._Fault(entity: entity, slots: row.slots))
    counterpart._state.formUnion([.inserted, .writable])
    if object._state.contains(.findsOrCreates) {
      counterpart._state.insert(.findsOrCreates)
      counterpart.side.lookUp = object.side.lookUp
    }
    if let values = object._side?.values, !values.isEmpty { counterpart.side.values = values }
    didInsert(counterpart)
    return counterpart
  }
}
