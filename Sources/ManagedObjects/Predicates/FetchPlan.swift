import DataModel

/// The description of a fetch from a store.
struct FetchPlan {
  let entity: EntityBinding
  var includesSubentities = true
  var predicate: BoundPredicate?
  var sorts: [BoundSort] = []
  var limit = 0
  var offset = 0
  /// Restricts the fetch to members of owners' to-many, in each owner's order, sorted by the
  /// owners' keys.
  var link: Link?

  /// The same restriction for stores that access to-manys by name, for any relationship.
  var members: (toMany: EntityBinding.ToMany, owners: [Int64])?
  /// The fetch before it was bound; only for stores that evaluate it themselves.
  var unbound: UnboundFetch?

  /// One end of a join, and the keys of owners there.
  struct Link {
    let end: EntityBinding.JoinEnd
    let owners: [Int64]
  }

  /// Whether external files are not read, so that rows contain the column's bytes unchanged.
  var leavesExternalData = false
  /// Whether only keys are needed, and `makeRow` will not be called.
  var keysOnly = false
  /// Whether `values` must report the entity of each row; otherwise it reports the plan's.
  ///
  /// The number of the entity is not in the index by which a store may have found the other values.
  var returnsEntities = false
  /// Whether any order is acceptable, so that the store may choose an index freely.
  var isUnordered = false
  /// Whether rows with a given destination are found by their keys in an index first, and then read
  /// in key order.
  ///
  /// For a predicate that contains nothing else.
  var findsKeysFirst = false

  /// The indexes of the entities whose rows are fetched.
  var family: [Int] { includesSubentities ? entity.family : [entity.index] }

  /// Whether a store must report the entity numbers of rows along with their values.
  var asksForEntities: Bool { returnsEntities && includesSubentities && entity.family.count > 1 }

  /// The index of a row's entity; the store is asked for its number only if the plan needs it and
  /// there are several entities.
  ///
  /// - Parameter bindings: the bindings of the entity's store.
  func entity(among bindings: [EntityBinding], numbered number: () -> Int64) -> Int {
    guard asksForEntities, let first = bindings.first?.index else { return entity.index }
    let number = number()
    return entity.family.first { bindings[$0 - first].number == number } ?? entity.index
  }

  /// Whether all rows are fetched, sorted only by key.
  var isPlain: Bool { predicate == nil && sorts.isEmpty }

  /// The plan without an offset and with a limit that includes the skipped rows, for a caller that
  /// applies both to the merged rows of several stores.
  var fromFirst: FetchPlan {
    var plan = self
    plan.offset = 0
    if limit > 0 {
      // A sum that overflows means no limit.
      let (end, isTooFar) = limit.addingReportingOverflow(offset)
      plan.limit = isTooFar ? 0 : end
    }
    return plan
  }

  init(entity: EntityBinding) { self.entity = entity }

  /// Fetches rows by their keys, in any order.
  init(rows keys: [Int64], of entity: EntityBinding) {
    self.entity = entity
    predicate = .object(isIn: BoundKeys(keys))
    isUnordered = true
  }

  /// Fetches the first row with a value.
  init(lookingUp value: Scalar, at slot: Int, of entity: EntityBinding) {
    self.entity = entity
    var type: AttributeDescription.AttributeType?
    if case .attribute(let attribute) = entity.slots[slot] { type = attribute.type }
    let path = BoundKeyPath(hops: [], slot: slot, type: type)
    predicate = .comparison(path, .equal, value)
    limit = 1
    isUnordered = true
    guard entity.store.references != nil, let name = entity.slots[slot].attributeName else {
      return
    }
    unbound = UnboundFetch(
      predicate: .comparison(name, .equal, value.value(as: type)), sortDescriptors: [])
  }

  /// Fetches the members of owners' to-many, in each owner's order.
  ///
  /// - Parameter destination: the entity of the members.
  /// - Precondition: the relationship is stored.
  init(membersOf toMany: EntityBinding.ToMany, owners: [Int64], in destination: EntityBinding) {
    entity = destination
    members = (toMany, owners)
    switch toMany.storage {
    case .foreignKey(let slot):
      let back = BoundKeyPath(hops: [], slot: slot, type: nil)
      predicate = .relationship(back, isIn: BoundKeys(owners))
      if let orderKey = destination.toOnesBySlot[slot]?.orderKeySlot {
        sorts = [
          BoundSort(keyPath: BoundKeyPath(hops: [], slot: orderKey, type: nil), isAscending: true)
        ]
      }
    case .join(let end): link = Link(end: end, owners: owners)
    case .memory: fatalError("\(toMany.description.name) is not stored.")
    }
  }
}

extension SlotLayout.Slot {
  /// The name of the attribute in the slot; nil for any other slot.
  fileprivate var attributeName: String? {
    if case .attribute(let attribute) = self { attribute.name } else { nil }
  }
}
