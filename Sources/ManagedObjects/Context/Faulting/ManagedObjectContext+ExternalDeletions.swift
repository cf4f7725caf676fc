import DataModel

/// Merging deletions that were saved elsewhere.
extension ManagedObjectContext {
  /// Marks objects whose rows were deleted elsewhere as deleted, as `delete(_:)` does.
  ///
  /// They stay registered, with the values that were read, until the next save. Reads nothing.
  func markDeletedExternally(_ objects: [ManagedObject]) {
    for object in objects where object._state.isDisjoint(with: [.detached, .deletedExternally]) {
      // From here on a value that was never read is missing.
      object._state.insert(.deletedExternally)
      if object._state.isDisjoint(with: [.deleted, .isLeaving]) {
        object._state.insert(.isLeaving)
        object.prepareForDeletion()
        object._state.remove(.isLeaving)
      }
      markDeletedExternally(object)
    }
  }

  /// Applies the delete rules to objects related here to one that was deleted elsewhere.
  ///
  /// The deletion already covered the stored relationships; this covers unsaved changes.
  func propagateExternalDeletion(of object: ManagedObject) {
    for toMany in object._entity.binding.toManys { propagateExternalDeletion(toMany, of: object) }
    guard object._slots != nil else { return }
    for toOne in object._entity.binding.toOnes { propagateExternalDeletion(toOne, of: object) }
  }

  private func propagateExternalDeletion(_ toMany: EntityBinding.ToMany, of object: ManagedObject) {
    guard let lists = object._lists else { return }
    let cascades = toMany.description.deleteRule == .cascade
    let nullifies = toMany.description.deleteRule == .nullify
    for member in lists.toManys[toMany.number].members where member.exists {
      switch toMany.storage {
      case .foreignKey(let slot):
        guard member.isWritten, member.pointsHere(object, by: slot) else { continue }
        if cascades { delete(member) } else if nullifies { object.unlink(member, toMany) }
      case .join:
        let isAdded = cascades && lists.toManys[toMany.number].changes.added.contains(member)
        if case .toMany(let number) = toMany.inverse {
          member._lists?.toManys[number].drop(object)
        }
        if isAdded { delete(member) }
      case .memory:
        if cascades { delete(member) } else { object.unlink(member, toMany) }
      }
    }
  }

  private func propagateExternalDeletion(_ toOne: EntityBinding.ToOne, of object: ManagedObject) {
    let row = object.row
    guard row.hasValue(toOne.slot),
      let end = registeredObject(row.integer(toOne.slot), of: toOne.destination), end.exists
    else { return }
    let isChanged =
      object._side?.snapshot.map { !row.isEqual(toOne.slot, to: $0, isTail: false) } ?? false
    switch toOne.description.deleteRule {
    case .cascade: if isChanged { delete(end) }
    case .nullify:
      guard case .toOne(let slot) = toOne.inverse, end.isWritten,
        end.pointsHere(object, by: slot)
      else { return }
      end.writeInverse(nil, slot: slot)
    case .deny, .noAction: return
    }
  }
}
