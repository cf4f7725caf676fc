import DataModel

extension ManagedObjectContext {
  /// Marks an object for deletion; the next save deletes its row.
  ///
  ///     context.delete(walk)
  ///     try context.save()
  ///
  /// The delete rules of its relationships are applied at once: Cascade deletes the related objects
  /// too, Nullify clears their references to the object; Deny is checked by the save. Members that
  /// were added elsewhere by the time of the save, and are unknown to this context, are found then,
  /// and the rules are applied to them too. Deleting an object that was never saved just discards
  /// it. Deleting twice does nothing.
  public func delete(_ object: ManagedObject) {
    checkCaller(object._entity.binding.name)
    guard object._state.isDisjoint(with: [.deleted, .detached, .isLeaving]) else { return }
    require(object._entity.context === self, "The object belongs to another context.")
    var deletion = Deletion(in: self)
    deletion.delete(object)
  }

  /// Applies the delete rules to members of deleted objects that were found only in the store.
  ///
  /// - Throws: `PersistentStoreError` if they cannot be read.
  func followDeleteRules(for unknown: UnknownMembers) throws {
    for (entity, key, number) in unknown.lists {
      guard let owner = registeredObject(key, of: entity.index), owner.isDeleted else { continue }
      let toMany = owner._entity.binding.toManys[number]
      let follow = {
        owner.lists.toManys[number].unload()
        owner.loaded(toMany)
        var deletion = Deletion(in: self)
        deletion.follow(toMany, of: owner)
      }
      // Undoing the deletion restores these members too.
      if let changeRecorder { changeRecorder.extendDeletion(of: owner, follow) } else { follow() }
    }
    try checkEverythingRead()
  }
}
