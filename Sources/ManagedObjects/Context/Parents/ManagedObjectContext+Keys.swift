/// Permanent keys in the place of temporary ones, in a context and its children.
///
/// A save, and who obtains IDs one by one, must not look through all that is registered. Own keys
/// are looked up. To-ones lead to temporary keys in changed objects, and in those of a child whose
/// rows are copies of such: the parent keeps account of what it has lent.
extension ManagedObjectContext {
  /// Takes over the permanent keys that objects have got, here and in all children.
  func replaceKeys(with keys: PermanentKeys) {
    let given = keys.given
    for object in changedObjects(leadingTo: given.map { $0.temporary }) {
      object.replaceTemporaryKeys(with: keys)
    }
    // An event may have kept a row that leads to an object which nobody has asked for here.
    if let changeRecorder {
      for (temporary, key) in given { changeRecorder.didGive(key, for: temporary) }
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
    passOn(keys)
  }

  /// Has all children take over the permanent keys that objects have got.
  func passOn(_ keys: PermanentKeys) {
    guard !children.isEmpty else {
      lentObjects = nil
      return
    }
    let children = children.map { $0.takeUnretainedValue() }
    for child in children { child.replaceKeys(with: keys) }
    guard lentObjects != nil else { return }
    // Behind that, as they are looked for by their keys.
    for (temporary, _) in keys.given {
      for object in lentObjects?.removeValue(forKey: temporary) ?? [] {
        for twin in object.twins(in: children) { twin.replaceTemporaryKeys(with: keys) }
      }
    }
    if lentObjects?.isEmpty == true { lentObjects = nil }
  }

  /// Forgets the objects that lead to no temporary key any more, nor do a child's: behind a save,
  /// which has looked at as many.
  func forgetReturnedLoans() {
    let children = children.map { $0.takeUnretainedValue() }
    let rest = lentObjects?.compactMapValues { objects in
      let rest = objects.filter { object in
        object.isThere && object.leadsToTemporaryKeys
          || object.twins(in: children).contains(where: \.leadsToTemporaryKeys)
      }
      return rest.isEmpty ? nil : rest
    }
    lentObjects = rest?.isEmpty == false ? rest : nil
    for child in children { child.forgetReturnedLoans() }
  }

  /// Notes an object that a child has too, where the child's leads to temporary keys.
  ///
  /// - Parameter row: the object whose to-ones the child's has.
  func noteLoan(of object: ManagedObject, with row: ManagedObject) {
    row.forEachTemporaryEnd { key in
      if lentObjects == nil { lentObjects = [:] }
      lentObjects?[key, default: []].insert(object)
    }
  }

  /// The changed objects that lead to some temporary keys; there may be others among them.
  private func changedObjects(leadingTo keys: [Int64]) -> [ManagedObject] {
    let others = lostObjects + pendingLosses
    // Few are looked through.
    guard pendingCount + pendingDeletes.count > 16 else {
      temporaryEnds = nil
      return pendingInserts + pendingUpdates + pendingDeletes + others
    }
    let ends = temporaryEnds ?? TemporaryEnds()
    temporaryEnds = ends
    return ends.takeObjects(leadingTo: keys, in: self) + others
  }
}

extension ManagedObject {
  /// The same object in some contexts, in those that have it.
  fileprivate func twins(in contexts: [ManagedObjectContext]) -> [ManagedObject] {
    contexts.compactMap { $0.registeredObject(_key, of: _entity.binding.index) }
  }

  /// Stands under another key from now on.
  func move(to key: Int64) {
    _entity.table.remove(_key)
    _key = key
    // Only a row that was taken over can be known already, and then by an older object.
    _entity.table.object(for: key)?.end()
    _entity.table.insert(self)
  }

  /// A copy of the values, for a child.
  func lentRow() -> PackedRow {
    let row = row
    _entity.context?.noteLoan(of: self, with: self)
    return row.copy(slotCount: _entity.binding.slotCount)
  }

  /// Whether a to-one leads to a temporary key, or did so at the last save.
  var leadsToTemporaryKeys: Bool {
    var found = false
    forEachTemporaryEnd { _ in found = true }
    return found
  }

  /// Hands over the temporary keys to which to-ones lead, or did so at the last save.
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
  /// Has a to-one lead to the row that its object has got since.
  ///
  /// - Parameter keys: the permanent keys, by the temporary ones.
  func renewToOne(_ slot: Int, with keys: [Int64: Int64]) {
    guard hasValue(slot), let key = keys[integer(slot)] else { return }
    setBits(UInt64(bitPattern: key), slot)
  }
}
