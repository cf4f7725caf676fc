import DataModel

/// Restoring the order of to-many relationships whose order keys are in the members' rows.
extension DocumentRows {
  /// An ordered list in the document.
  struct OrderedList {
    let owner: Int64
    /// The members' to-one that refers to the owner.
    let toOne: EntityBinding.ToOne
    let members: [Int64]
  }

  /// Assigns order keys to the members of ordered lists.
  ///
  /// Members missing from the lists come last, sorted by their own order keys and then by the order
  /// of the objects.
  func setOrderKeys(of ordered: [OrderedList]) {
    var toOnes: [EntityBinding.ToOne.OrderedInverse: EntityBinding.ToOne] = [:]
    for toOne in bindings.lazy.flatMap(\.toOnes) {
      if let list = toOne.orderedInverse { toOnes[list] = toOne }
    }
    for (inverse, toOne) in toOnes {
      setOrderKeys(of: ordered.filter { $0.toOne.orderedInverse == inverse }, toOne, inverse)
    }
  }

  /// Assigns order keys to the members of all lists of one relationship.
  private func setOrderKeys(
    of lists: [OrderedList], _ toOne: EntityBinding.ToOne,
    _ inverse: EntityBinding.ToOne.OrderedInverse
  ) {
    guard let slot = toOne.orderKeySlot else { return }
    let objects = self.objects
    // The members by owner, as indexes of objects.
    var members: [Int64: [Int]] = [:]
    var isListed = Array(repeating: false, count: lists.isEmpty ? 0 : objects.count)
    for list in lists {
      let indices = list.members.compactMap { self.indices[$0] }
      members[list.owner] = indices
      for index in indices { isListed[index] = true }
    }
    let entities = Set(
      bindings.filter { $0.toOnes.contains { $0.orderedInverse == inverse } }.map(\.index))
    var others: [Int64: [Int]] = [:]
    var haveOrder = false
    for (index, object) in objects.enumerated()
    where entities.contains(object.entity.index) && object.row.hasValue(toOne.slot)
      && (lists.isEmpty || !isListed[index])
    {
      haveOrder = haveOrder || object.row.hasValue(slot)
      others[object.row.integer(toOne.slot), default: []].append(index)
    }
    guard haveOrder || !lists.isEmpty else { return }
    for (owner, others) in others {
      members[owner, default: []] += haveOrder ? sorted(others, by: slot) : others
    }
    for indices in members.values {
      let old = indices.map { oldOrderKey(of: objects[$0], toOne, slot) }
      for (index, order) in zip(indices, Self.orderKeys(old)) {
        objects[index].row.setBits(UInt64(bitPattern: order), slot)
      }
    }
  }

  /// Objects sorted by their own order keys; those without one come last.
  private func sorted(_ indices: [Int], by slot: Int) -> [Int] {
    let objects = self.objects
    let found = indices.map { index in
      let row = objects[index].row
      return (order: row.hasValue(slot) ? row.integer(slot) : .max, index: index)
    }
    // Most documents are in order already.
    if zip(found, found.dropFirst()).allSatisfy({ $0.order <= $1.order }) { return indices }
    return found.sorted { $0 < $1 }.map(\.index)
  }

  /// The order key that an object had in the previous contents, if it was in the same list there.
  private func oldOrderKey(
    of object: Object, _ toOne: EntityBinding.ToOne, _ slot: Int
  ) -> Int64? {
    guard let row = previous?.rows[object.entity.root]?[object.key]?.row, row.hasValue(slot),
      row.hasValue(toOne.slot), row.integer(toOne.slot) == object.row.integer(toOne.slot)
    else { return nil }
    return row.integer(slot)
  }

  /// Ascending order keys: existing ones are kept if they ascend, and the others get keys between
  /// them.
  static func orderKeys(_ old: [Int64?]) -> [Int64] {
    var keys = old
    for index in OrderKeyPlacing.outOfOrder(keys) { keys[index] = nil }
    if OrderKeyPlacing.fill(&keys) { return keys.compactMap(\.self) }
    return keys.indices.map { OrderKeyPlacing.first + Int64($0) * OrderKeyPlacing.step }
  }
}
