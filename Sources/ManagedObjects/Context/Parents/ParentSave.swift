import DataModel

/// One save of a child into its parent: the same changes, made to the parent's objects.
///
/// Through the parent's own relationships, so that what it knows besides stays right: to-ones first in
/// the order of the lists they stand in, then links and rearranged lists, deletes last.
struct ParentSave {
  let parent: ManagedObjectContext
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]

  /// Makes all changes, or none.
  ///
  /// - Throws: `ConflictError` where the parent has deleted an object that was changed here, or one
  ///   that a changed one points at.
  func run() throws {
    try check()
    for object in inserted { parent.insertTwin(of: object) }
    for object in updated { twin(of: object)?.copyAttributes(from: object) }
    for object in inserted + updated { fillLists(of: object) }
    for object in inserted + updated { setToOnes(of: object) }
    for object in inserted + updated { arrangeLists(of: object) }
    for object in deleted { if let twin = twin(of: object) { parent.delete(twin) } }
    for object in inserted + updated where object._slots != nil {
      object.row.version = twin(of: object)?.row.version ?? 0
    }
  }

  // MARK: Before

  private func check() throws {
    let new = Set(inserted)
    for object in updated where twin(of: object) == nil {
      throw ConflictError(objectID: object.objectID)
    }
    for object in inserted + updated {
      for toOne in object.changedToOnes {
        guard let end = object.toOne(toOne.slot), !new.contains(end), twin(of: end) == nil else {
          continue
        }
        throw ConflictError(objectID: end.objectID)
      }
    }
  }

  /// The parent's object for one of the child's; nil where it is deleted there.
  private func twin(of object: ManagedObject) -> ManagedObject? {
    let twin = parent.object(with: object.objectID)
    _ = twin.row
    return twin._state.isDisjoint(with: [.deleted, .gone]) ? twin : nil
  }

  // MARK: Relationships

  /// Gives lists their new members in the order in which they stand there.
  private func fillLists(of owner: ManagedObject) {
    guard let side = owner._side, let twin = twin(of: owner) else { return }
    for toMany in owner._entity.binding.toManys where side.toManys[toMany.number].isChanged {
      let changes = side.toManys[toMany.number].changes
      switch toMany.storage {
      case .foreignKey(let slot):
        for member in changes.added where member._state.isDisjoint(with: [.deleted, .gone]) {
          guard let member = self.twin(of: member) else { continue }
          // One that left an unread list and came back stands at its end now.
          if toMany.description.isOrdered { twin.unlink(member, toMany) }
          member.setToOne(twin, slot: slot)
        }
      case .join, .memory:
        for member in changes.removed {
          if let member = self.twin(of: member) { twin.unlink(member, toMany) }
        }
        for member in changes.added {
          if let member = self.twin(of: member) { twin.link(member, toMany) }
        }
      }
    }
  }

  private func setToOnes(of object: ManagedObject) {
    guard let twin = twin(of: object) else { return }
    for toOne in object.changedToOnes {
      twin.setToOne(object.toOne(toOne.slot).flatMap { self.twin(of: $0) }, slot: toOne.slot)
    }
  }

  /// Puts lists into the order that they have in the child; what only the parent has stands behind.
  private func arrangeLists(of owner: ManagedObject) {
    guard let side = owner._side, let twin = twin(of: owner) else { return }
    for toMany in owner._entity.binding.toManys
    where toMany.description.isOrdered && side.toManys[toMany.number].isReordered {
      twin.loaded(toMany)
      let members = twin.side.toManys[toMany.number].members
      let wanted = side.toManys[toMany.number].members.compactMap { self.twin(of: $0) }
      let present = Set(members)
      let known = Set(wanted)
      let order = wanted.filter { present.contains($0) } + members.filter { !known.contains($0) }
      twin.replaceAll(of: toMany, with: order)
    }
  }
}

extension ManagedObject {
  /// The to-ones whose ends are not those of the last save.
  fileprivate var changedToOnes: [EntityBinding.ToOne] {
    guard _slots != nil else { return [] }
    return _entity.binding.toOnes.filter { toOne in
      guard let snapshot = _side?.snapshot else {
        return _state.contains(.inserted) && row.hasValue(toOne.slot)
      }
      return !row.isEqual(toOne.slot, to: snapshot, isTail: false)
    }
  }

  /// Takes over the attributes that were changed in the child.
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
  /// Inserts the object that a child has inserted, under the same temporary key, its to-ones unset.
  fileprivate func insertTwin(of object: ManagedObject) {
    let binding = object._entity.binding
    let row = object.row.copy(slotCount: binding.slotCount)
    for toOne in binding.toOnes {
      for slot in [toOne.slot, toOne.entitySlot, toOne.orderKeySlot].compactMap({ $0 }) {
        row.setHasValue(false, slot)
      }
    }
    let entity = contextEntity(at: binding.index)
    let twin = binding.objectClass.init(
      _fault: object._key, of: ManagedObject._Fault(entity: entity, slots: row.slots))
    twin._state.formUnion([.inserted, .writable])
    if object._state.contains(.findsOrCreates) {
      twin._state.insert(.findsOrCreates)
      twin.side.lookUp = object.side.lookUp
    }
    if let values = object._side?.values, !values.isEmpty { twin.side.values = values }
    didInsert(twin)
  }
}
