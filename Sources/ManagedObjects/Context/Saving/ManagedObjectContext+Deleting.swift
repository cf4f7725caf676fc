import DataModel

extension ManagedObjectContext {
  /// Marks an object for deletion; its row goes at the next save.
  ///
  ///     context.delete(walk)
  ///     try context.save()
  ///
  /// The delete rules of its relationships are followed at once: members of a cascading to-many are
  /// deleted too, the others forget it. Members that others have added by the time of the save, and
  /// that this context does not know of, are found then: the rules are followed for them too.
  /// Deleting an object that was never saved just drops it. Deleting twice does nothing.
  public func delete(_ object: ManagedObject) {
    checkCaller(object._entity.binding.name)
    guard object._state.isDisjoint(with: [.deleted, .gone, .isLeaving]) else { return }
    require(object._entity.context === self, "The object belongs to another context.")
    var deletion = Deletion(in: self)
    deletion.delete(object)
  }

  /// Follows the delete rules for members of deleted objects that only the store knew of.
  ///
  /// - Throws: `PersistentStoreError` where they cannot be read.
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
      // Undoing the deletion brings them back too.
      if let changeRecorder { changeRecorder.extendDeletion(of: owner, follow) } else { follow() }
    }
    try checkEverythingRead()
  }
}
