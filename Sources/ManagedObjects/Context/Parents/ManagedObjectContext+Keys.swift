/// Replacing temporary keys by permanent ones, in a context and its children.
///
/// A save, or obtaining IDs one by one, must not search all registered objects. An object's own key
/// is looked up. To-ones refer to temporary keys in changed objects, and in objects of a child
/// whose rows are copies of those: the parent records which objects were copied to children.
extension ManagedObjectContext {
  /// Replaces the temporary keys of objects that received permanent ones, here and in all children.
  func replaceKeys(with keys: PermanentKeys) {
    let given = keys.given
    for object in changedObjects(leadingTo: given.map { $0.temporary }) {
      object.replaceTemporaryKeys(with: keys)
    }
    // An event may have kept a row that refers to an object which is not registered here.
    if let changeRecorder {
      for (temporary, key) in given { changeRecorder.recordPermanentKey(key, for: temporary) }
    }
    for entity in entities where entity.binding.root == entity.binding.index {
      for (temporary, key) in given {
        guard let object = entity.table.object(for: temporary) else { continue }
        object.move(to: key)
        observers?.noteNewIDs()
      }
    }
    eventValues?.replaceTemporaryKeys(with: keys)
    for check in conflictChecks ?? [] {
      check.object.replaceTemporaryKeys(with: keys, in: check.read.row)
    }
    promotePermanentKeys(keys)
  }

  /// Makes all children replace temporary keys by permanent ones.
  func promotePermanentKeys(_ keys: PermanentKeys) {
    let children = children.contexts
    guard !children.isEmpty else {
      objectsNamedByChildren = nil
      return
    }
    for child in children { child.replaceKeys(with: keys) }
    guard objectsNamedByChildren != nil else { return }
    // After the children's own keys, by which the objects are looked up.
    for (temporary, _) in keys.given {
      for object in objectsNamedByChildren?.removeValue(forKey: temporary) ?? [] {
        for counterpart in object.counterparts(in: children) {
          counterpart.replaceTemporaryKeys(with: keys)
        }
      }
    }
    if objectsNamedByChildren?.isEmpty == true { objectsNamedByChildren = nil }
  }

  /// Discards records of objects that refer to no temporary key any more, here or in a child.
  ///
  /// Called after a save, which has visited as many objects.
  func forgetReplacedKeys() {
    let children = children.contexts
    let rest = objectsNamedByChildren?.compactMapValues { objects in
      let rest = objects.filter { object in
        object.exists && object.leadsToTemporaryKeys
          || object.counterparts(in: children).contains(where: \.leadsToTemporaryKeys)
      }
      return rest.isEmpty ? nil : rest
    }
    objectsNamedByChildren = rest?.isEmpty == false ? rest : nil
    for child in children { child.forgetReplacedKeys() }
  }

  /// Records an object that was copied to a child, if the child's copy refers to temporary keys.
  ///
  /// - Parameter row: the object with the same to-ones as the child's.
  func noteTemporaryKeys(of object: ManagedObject, with row: ManagedObject) {
    row.forEachTemporaryEnd { key in
      if objectsNamedByChildren == nil { objectsNamedByChildren = [:] }
      objectsNamedByChildren?[key, default: []].insert(object)
    }
  }

  /// The changed objects that refer to some temporary keys; others may be included.
  private func changedObjects(leadingTo keys: [Int64]) -> [ManagedObject] {
    let others = externallyDeletedObjects + objectsWithMissingRows
    // A few objects are searched one by one.
    guard pendingCount + pendingDeletes.count > 16 else {
      temporaryEnds = nil
      return pendingInserts + pendingUpdates + pendingDeletes + others
    }
    let ends = temporaryEnds ?? TemporaryKeyIndex()
    temporaryEnds = ends
    return ends.takeObjects(leadingTo: keys, in: self) + others
  }
}

extension ManagedObject {
  /// The object's counterparts in those of the contexts in which it is registered.
  fileprivate func counterparts(in contexts: [ManagedObjectContext]) -> [ManagedObject] {
    contexts.compactMap { $0.registeredObject(_key, of: _entity.binding.index) }
  }

  /// Registers the object under another key.
  func move(to key: Int64) {
    _entity.table.remove(self)
    _key = key
    // Only an adopted row can be registered already, and then by an older object.
    _entity.table.object(for: key)?.end()
    _entity.table.insert(self)
  }

  /// A copy of the values, for a child.
  func copiedRow() -> PackedRow {
    let row = row
    _entity.context?.noteTemporaryKeys(of: self, with: self)
    return row.copy(slotCount: _entity.binding.slotCount)
  }

  /// Whether a to-one refers to a temporary key, or did so at the last save.
  var leadsToTemporaryKeys: Bool {
    var found = false
    forEachTemporaryEnd { _ in found = true }
    return found
  }

  /// Passes the temporary keys that to-ones refer to, or did at the last save, to a closure.
  func forEachTemporaryEnd(_ body: (Int64) -> Void) {
    guard let _slots else { return }
    PackedRow(slots: _slots).forEachTemporaryEnd(of: _entity.binding, body)
    _side?.snapshot?.forEachTemporaryEnd(of: _entity.binding, body)
  }
}

extension PackedRow {
  fileprivate func forEachTemporaryEnd(of entity: EntityBinding, _ body: (Int64) -> Void) {
    for toOne in entity.toOnes where hasValue(toOne.slot) {
      let key = integer(toOne.slot)
      if key < 0 { body(key) }
    }
  }
}

extension PackedRow {
  /// Replaces the temporary key that a to-one refers to by the permanent one.
  ///
  /// - Parameter keys: the permanent keys, by the temporary ones.
  func renewToOne(_ slot: Int, with keys: [Int64: Int64]) {
    guard hasValue(slot), let key = keys[integer(slot)] else { return }
    setBits(UInt64(bitPattern: key), slot)
  }
}
