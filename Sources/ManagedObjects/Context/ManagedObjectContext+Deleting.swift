import DataModel

extension ManagedObjectContext {
  /// Marks an object for deletion; its row goes at the next save.
  ///
  ///     context.delete(walk)
  ///     try context.save()
  ///
  /// The delete rules of its relationships are followed at once: members of a cascading to-many are
  /// deleted too, the others forget it. Deleting an object that was never saved just drops it.
  /// Deleting twice does nothing.
  public func delete(_ object: ManagedObject) {
    guard object._state.isDisjoint(with: [.deleted, .gone, .isLeaving]) else { return }
    require(object._entity.context === self, "The object belongs to another context.")
    // The values are read first: where nothing can be read any more, nothing is left to delete.
    _ = object.row
    guard !object._state.contains(.gone) else { return }
    object._state.insert(.isLeaving)
    object.prepareForDeletion()
    object._state.remove(.isLeaving)
    object._state.insert(.deleted)
    didDelete(object)
    let binding = object._entity.binding
    for toMany in binding.toManys { propagate(toMany, from: object) }
    for toOne in binding.toOnes { propagate(toOne, from: object) }
  }

  private func propagate(_ toMany: EntityBinding.ToMany, from object: ManagedObject) {
    let rule = toMany.description.deleteRule
    // A link of its own goes with either of its ends, whatever the rule.
    if case .foreignKey = toMany.storage, rule == .noAction || rule == .deny { return }
    object.loaded(toMany)
    for member in object.side.toManys[toMany.number].members {
      if rule == .cascade {
        delete(member)
      } else if rule != .deny, !member._state.contains(.deleted) {
        object.unlink(member, toMany)
      }
    }
  }

  private func propagate(_ toOne: EntityBinding.ToOne, from object: ManagedObject) {
    let row = object.row
    guard row.hasValue(toOne.slot), toOne.description.deleteRule != .noAction,
      toOne.description.deleteRule != .deny
    else { return }
    let key = row.integer(toOne.slot)
    switch toOne.inverse {
    case .none: break
    case .toMany(let number):
      // A list that was not read drops the member when it is read.
      registeredObject(key, of: toOne.destination)?.forget(object, in: number)
    case .toOne(let slot):
      let partner = self.object(key, at: toOne, in: row)
      if toOne.description.deleteRule == .nullify { partner.writeInverse(nil, slot: slot) }
    }
    if toOne.description.deleteRule == .cascade { delete(self.object(key, at: toOne, in: row)) }
  }
}
