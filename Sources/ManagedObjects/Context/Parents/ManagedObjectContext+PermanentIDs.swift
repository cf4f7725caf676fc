import DataModel

extension ManagedObjectContext {
  /// Assigns permanent IDs to new objects before they are saved.
  ///
  ///     try context.obtainPermanentIDs(for: [walk])
  ///     index[walk.objectID] = walk    // good after the save too
  ///     try context.save()
  ///
  /// One short transaction for each store. The ID of an object that is never saved is not reused.
  /// Objects that have a permanent ID keep it; one made by `findOrCreate` keeps its temporary ID,
  /// since the save may adopt an existing row. Follows Core Data's `obtainPermanentIDs(for:)`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be written; no ID has changed then.
  /// - Precondition: the objects belong to this context.
  public func obtainPermanentIDs(for objects: some Sequence<ManagedObject>) throws {
    if let parent {
      // Objects that were saved into the parent but not by it receive their keys there, and so
      // here.
      let saved = objects.filter { !$0.isInserted && $0._key < 0 }
      let counterparts = saved.compactMap { parent.registeredObject(for: $0.objectID) }
      try parent.obtainPermanentIDs(for: counterparts)
    }
    var new: [Int: [ManagedObject]] = [:]
    for object in objects {
      require(object._entity.context === self, "The object belongs to another context.")
      guard object.isInserted, object._key < 0, !object._state.contains(.findsOrCreates) else {
        continue
      }
      new[object._entity.binding.root, default: []].append(object)
    }
    guard !new.isEmpty else { return }
    var keys = PermanentKeys(for: new.values.joined().map(\._key))
    for (root, objects) in new {
      var seen: Set<Int64> = []
      let inserts = objects.filter { seen.insert($0._key).inserted }.map {
        SaveRequest.Insert(
          entity: $0._entity.binding, temporaryKey: $0._key, row: $0.row, lookUp: nil)
      }
      let reserved = try persistentStoreCoordinator.reserveKeys(
        for: inserts, of: binding(at: root))
      for (insert, key) in zip(inserts, reserved) { keys[insert.temporaryKey] = key }
    }
    replaceKeys(with: keys)
  }
}
