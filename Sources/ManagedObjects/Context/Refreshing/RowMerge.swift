import DataModel

/// Merges stored rows into one context, below its unsaved changes.
///
/// Rows are merged first, then the lists that contain their objects: a member's to-one determines
/// its list, and a list can be read only when all rows are known.
struct RowMerge {
  /// One to-many of one object.
  private struct List: Hashable {
    let owner: ManagedObject
    let number: Int
  }

  private let context: ManagedObjectContext
  private var lists: Set<List> = []
  /// Objects read only to find their owners, retained until the lists are read.
  private var held: [ManagedObject] = []
  /// The objects whose rows are missing.
  private var lost: [ManagedObject] = []

  init(context: ManagedObjectContext) { self.context = context }

  // MARK: Rows

  /// Merges the stored values of some objects that have rows; faults stay faults.
  ///
  /// Objects whose rows are missing, or belong to another entity by now, are lost: marked as
  /// deleted.
  ///
  /// - Parameter keepsChangedWithoutRow: whether those of them with unsaved changes are left
  ///   unchanged instead, to be conflicts of the next save.
  mutating func refresh(_ objects: [ManagedObject], keepsChangedWithoutRow: Bool = false) throws {
    var byRoot: [Int: [ManagedObject]] = [:]
    for object in objects {
      noteLists(of: object)
      if object._slots != nil { byRoot[object._entity.binding.root, default: []].append(object) }
    }
    for (root, objects) in byRoot {
      var missing = Set(objects)
      try context.readRows(objects.map(\._key), root: root) { cursor, entity in
        guard let object = entity.table.object(for: cursor.key), object._entity === entity,
          missing.remove(object) != nil
        else { return }
        adopt(try cursor.makeRow(of: entity.binding), by: object)
      }
      for object in objects where missing.contains(object) {
        if !keepsChangedWithoutRow || !object.hasChanges { lose(object) }
      }
    }
  }

  /// Merges a row that was read before into its object; a fault stays a fault.
  mutating func refresh(_ object: ManagedObject, with stored: RowReference) {
    noteLists(of: object)
    if object._slots != nil { adopt(stored.copy(), by: object) }
  }

  /// Reads rows that were inserted or changed elsewhere, to update the lists that contain them.
  mutating func read(_ keys: [Int64], root: Int) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    try context.readRows(keys, root: root) { cursor, entity in
      if let lost = entity.table.object(for: cursor.key), lost._state.contains(.deletedExternally) {
        // The row was inserted again, and is represented by another object.
        context.dropPending(lost)
        lost.end()
      }
      found.append(take(try cursor.makeRow(of: entity.binding), cursor.key, of: entity))
    }
    return found
  }

  /// Fulfills a fault with a row that was read before, and records the lists that contain it.
  mutating func fulfill(_ fault: ManagedObject, with stored: RowReference) {
    _ = take(stored.copy(), fault._key, of: fault._entity)
  }

  private mutating func take(
    _ row: PackedRow, _ key: Int64, of entity: ContextEntity
  ) -> ManagedObject {
    let object = context.object(key, of: entity, taking: row)
    noteOwners(of: object, in: object.row)
    held.append(object)
    return object
  }

  /// Records an object whose row is missing; `finish()` deletes it.
  mutating func lose(_ object: ManagedObject) { lost.append(object) }

  /// Ends an object in favour of another one that has its key.
  func replace(_ object: ManagedObject) {
    var merge = self
    merge.lost = [object]
    merge.leaveLists()
    for toMany in object._entity.binding.toManys {
      for member in object._lists?.toManys[toMany.number].members ?? [] {
        // References of members that were added here are cleared; for the others, the store has
        // them.
        if case .foreignKey = toMany.storage {
          if member.isWritten, member.exists { object.unlink(member, toMany) }
        } else if case .toMany(let number) = toMany.inverse {
          member._lists?.toManys[number].drop(object)
        }
      }
    }
    context.dropPending(object)
    object.end()
  }

  /// Removes lost objects from the lists that contain them, without a change to save.
  private func leaveLists() {
    var faults: Set<ManagedObject> = []
    var leaving: [List: Set<ManagedObject>] = [:]
    for object in lost {
      guard object._slots != nil else {
        faults.insert(object)
        continue
      }
      for row in [object.row, object._side?.snapshot].compactMap(\.self) {
        for toOne in object._entity.binding.toOnes {
          if let list = list(of: object, by: toOne, in: row) {
            leaving[list, default: []].insert(object)
          }
        }
      }
    }
    for (list, members) in leaving {
      list.owner._lists?.toManys[list.number].drop { members.contains($0) }
    }
    guard !faults.isEmpty else { return }
    for owner in context.registeredObjects {
      guard let ownerLists = owner._lists else { continue }
      for number in ownerLists.toManys.indices {
        ownerLists.toManys[number].drop { faults.contains($0) }
      }
    }
  }

  private mutating func adopt(_ row: PackedRow, by object: ManagedObject) {
    let old = object._side?.snapshot ?? object.row
    for toOne in object._entity.binding.toOnes
    where !row.isEqual(toOne.slot, to: old, isTail: false) {
      noteOwner(of: object, by: toOne, in: old)
      noteOwner(of: object, by: toOne, in: row)
    }
    object.adopt(row)
  }

  // MARK: Lists

  private mutating func noteOwners(of object: ManagedObject, in row: PackedRow) {
    for toOne in object._entity.binding.toOnes { noteOwner(of: object, by: toOne, in: row) }
  }

  private mutating func noteOwner(
    of object: ManagedObject, by toOne: EntityBinding.ToOne, in row: PackedRow
  ) {
    if let list = list(of: object, by: toOne, in: row) { lists.insert(list) }
  }

  /// The list that contains an object by one of its to-ones; nil if the owner is not registered.
  private func list(
    of object: ManagedObject, by toOne: EntityBinding.ToOne, in row: PackedRow
  ) -> List? {
    guard case .toMany(let number) = toOne.inverse, row.hasValue(toOne.slot),
      let owner = context.registeredObject(row.integer(toOne.slot), of: toOne.destination)
    else { return nil }
    return List(owner: owner, number: number)
  }

  private mutating func noteLists(of object: ManagedObject) {
    guard object._lists != nil else { return }
    for toMany in object._entity.binding.toManys {
      lists.insert(List(owner: object, number: toMany.number))
    }
  }

  /// Unloads the lists that rows have affected, and deletes the objects whose rows are missing.
  ///
  /// Lists that were changed here are read at once, to determine their members.
  mutating func finish() throws {
    context.markDeletedExternally(lost)
    try finishLists()
    leaveLists()
    for object in lost { context.propagateExternalDeletion(of: object) }
    (lost, held) = ([], [])
  }

  private mutating func finishLists() throws {
    for list in lists
    where list.owner._state.isDisjoint(with: [.inserted, .detached, .deletedExternally]) {
      guard let ownerLists = list.owner._lists, ownerLists.toManys[list.number].isLoaded else {
        continue
      }
      let toMany = list.owner._entity.binding.toManys[list.number]
      if case .memory = toMany.storage { continue }
      guard ownerLists.toManys[list.number].isChanged else {
        ownerLists.toManys[list.number] = ToManyMembers()
        continue
      }
      let stored = try context.storedMembers(of: toMany, owner: list.owner)
      let added = added(to: toMany, in: ownerLists)
      // In a parent's list, and for links, rows have no order keys that show which objects were
      // added again.
      let keepsOrder =
        context.parent == nil && !toMany.isLinked
        ? ownerLists.toManys[list.number].isRearranged : ownerLists.toManys[list.number].isReordered
      ownerLists.toManys[list.number].merge(stored, added: added, keepsOrder: keepsOrder) {
        [context] in context.keeps($0, in: toMany, of: list.owner)
      }
    }
    lists = []
  }

  /// The members that were added to a list since the last save, in their order.
  private func added(
    to toMany: EntityBinding.ToMany, in ownerLists: ManagedObject.ToManyLists
  ) -> [ManagedObject] {
    guard case .foreignKey(let slot) = toMany.storage,
      let orderKey = context.binding(at: toMany.destination).toOnesBySlot[slot]?.orderKeySlot
    else { return ownerLists.toManys[toMany.number].changes.added }
    return ownerLists.toManys[toMany.number].members.filter {
      $0.hasJoined(by: slot, orderKeySlot: orderKey)
    }
  }
}

@available(*, unavailable) extension RowMerge: Sendable {}

extension ManagedObject {
  /// Whether the object was added to the list that contains it since the last save.
  ///
  /// That includes one that was removed and added again: it has lost its order key.
  fileprivate func hasJoined(by slot: Int, orderKeySlot: Int) -> Bool {
    guard !_state.contains(.inserted) else { return true }
    guard isWritten, let snapshot = _side?.snapshot else { return false }
    return !row.isEqual(slot, to: snapshot, isTail: false)
      || snapshot.hasValue(orderKeySlot) && !row.hasValue(orderKeySlot)
  }

  /// Replaces the stored values of the object by those of a row; unsaved changes are kept.
  fileprivate func adopt(_ stored: PackedRow) {
    let binding = _entity.binding
    var row = stored
    // Transient values are not stored.
    var kept = Set(binding.storedSlotCount..<binding.slotCount)
    if let snapshot = _side?.snapshot {
      row = stored.copy(slotCount: binding.slotCount)
      for slot in 0..<binding.storedSlotCount
      where !self.row.isEqual(slot, to: snapshot, isTail: binding.kinds[slot].isTail) {
        kept.insert(slot)
      }
      // A to-one's entity and order key follow its key.
      for toOne in binding.toOnes {
        let slots = [toOne.slot, toOne.entitySlot, toOne.orderKeySlot].compactMap { $0 }
        if kept.contains(toOne.slot) {
          kept.formUnion(slots)
        } else if !stored.isEqual(toOne.slot, to: snapshot, isTail: false) {
          // It was changed elsewhere: an order key lost here, by removing and adding, does not
          // matter there.
          kept.subtract(slots)
        }
      }
      snapshot.free(slotCount: binding.slotCount)
      side.snapshot = stored
    }
    for slot in kept { row = row.taking(slot, from: self.row, of: binding) }
    self.row.free(slotCount: binding.slotCount)
    replaceRow(with: row)
  }
}
