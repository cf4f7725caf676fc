import DataModel

/// What is asked of a store.
struct FetchPlan {
  let entity: EntityBinding
  var includesSubentities = true
  var predicate: BoundPredicate?
  var sorts: [BoundSort] = []
  var limit = 0
  var offset = 0
  /// Only members of some objects' to-many, each object's in their order, one object's after the
  /// other's by key.
  var link: Link?

  /// The same, for stores that know to-manys by their names: whatever the relationship.
  var members: (toMany: EntityBinding.ToMany, owners: [Int64])?
  /// What was asked for before it was bound; only for stores that are handed it.
  var unbound: UnboundFetch?

  /// Some objects' end of a join.
  struct Link {
    let end: EntityBinding.JoinEnd
    let owners: [Int64]
  }

  /// Whether values in files are left there, and their rows have the column's bytes as they are.
  var leavesExternalData = false
  /// Whether only keys are wanted, and `makeRow` will not be called.
  var keysOnly = false
  /// Whether `values` is to say of which entity each row is; else that is the plan's.
  ///
  /// The number of the entity is in no index, by which a store may have found the rest.
  var tellsEntities = false
  /// Whether any order will do, so that the store is free to find the rows by an index.
  var isUnordered = false
  /// Whether rows that lead to many others are looked for by the keys in an index first, and then
  /// read in the order of their keys.
  ///
  /// For a predicate that says no more than that they do.
  var findsKeysFirst = false

  /// The indexes of the entities whose rows are asked for.
  var family: [Int] { includesSubentities ? entity.family : [entity.index] }

  /// Whether a store is asked for the numbers of rows' entities beside values.
  var asksForEntities: Bool { tellsEntities && includesSubentities && entity.family.count > 1 }

  /// The index of a row's entity, of whose number a store is asked only where that is wanted and
  /// there are several.
  ///
  /// - Parameter bindings: those of the entity's store.
  func entity(among bindings: [EntityBinding], numbered number: () -> Int64) -> Int {
    guard asksForEntities, let first = bindings.first?.index else { return entity.index }
    let number = number()
    return entity.family.first { bindings[$0 - first].number == number } ?? entity.index
  }

  /// Whether all rows are asked for, in no order but that of their keys.
  var isPlain: Bool { predicate == nil && sorts.isEmpty }

  /// The plan with the rows that it leaves out first, for who counts those of several stores off.
  var fromFirst: FetchPlan {
    var plan = self
    plan.offset = 0
    if limit > 0 {
      // More than can be counted is as good as all.
      let (end, isTooFar) = limit.addingReportingOverflow(offset)
      plan.limit = isTooFar ? 0 : end
    }
    return plan
  }

  init(entity: EntityBinding) { self.entity = entity }

  /// Asks for rows, in any order.
  init(rows keys: [Int64], of entity: EntityBinding) {
    self.entity = entity
    predicate = .object(isIn: BoundKeys(keys))
    isUnordered = true
  }

  /// Asks for the first row that has a value.
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

  /// Asks for the members of some objects' to-many, each object's in their order.
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
  /// The name of the attribute whose place it is; nil for any other.
  fileprivate var attributeName: String? {
    if case .attribute(let attribute) = self { attribute.name } else { nil }
  }
}
