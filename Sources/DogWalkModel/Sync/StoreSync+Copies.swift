import ManagedObjects

/// Stores that are copies of one, and have never met since.
extension StoreSync {
  /// The only side that has changed a thing since one store was copied from the other; nil where
  /// that is not known.
  func onlySide(_ key: SyncKey) -> SyncSide? {
    guard copies != nil else { return nil }
    let (id, othersID) = (mine.objectID(of: key), others.objectID(of: key))
    guard let id = id ?? othersID, (othersID ?? id) == id else { return nil }
    return onlySide(id)
  }

  private func onlySide(_ id: ManagedObjectID) -> SyncSide? {
    guard let copies else { return nil }
    if copies.here.contains(id) { return .here }
    return copies.there.contains(id) ? .there : nil
  }

  /// Gives walkers and tags the names that one side alone has given them since: they are known by
  /// their names, and would be others.
  mutating func takeNames() throws {
    guard copies != nil else { return }
    let others = self.others.named
    var renamed: [(side: SyncSide, object: any NamedObject, name: String)] = []
    for (id, object) in mine.named {
      guard let other = others[id], other.name != object.name, let side = onlySide(id) else {
        continue
      }
      renamed.append(
        side == .here ? (.there, other, object.name) : (.here, object, other.name))
    }
    // A name that another one has meanwhile is left to the rest.
    renamed = renamed.filter { change in
      let key = NameKey.of(change.name)
      return !store(change.side).named.values.contains {
        type(of: $0) == type(of: change.object) && $0.nameKey == key
          && $0.objectID != change.object.objectID
      }
    }
    guard !renamed.isEmpty else { return }
    for change in renamed {
      let names = (change.object.name, change.name)
      if change.side == .here {
        report.here.renamed.append(names)
      } else {
        report.there.renamed.append(names)
      }
      change.object.name = change.name
      change.object.nameKey = NameKey.of(change.name)
    }
    try readMineAnew()
    try mine.readNames()
    try self.others.readNames()
  }
}

extension WalkLog {
  /// What was changed here and there since one store was copied from the other; nil where that is
  /// not known.
  func changes(sinceCopying other: WalkLog) throws -> CopyChanges? {
    guard let undoLog, let others = other.undoLog else { return nil }
    return try undoLog.changes(sinceCopying: others)
  }
}
