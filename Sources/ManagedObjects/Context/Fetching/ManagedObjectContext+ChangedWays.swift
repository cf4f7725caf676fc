import DataModel

/// Which rows a predicate judges by values that are changed here.
extension ManagedObjectContext {
  /// The keys of the stored rows from which a way of a predicate leads to a changed object.
  ///
  /// As the store has the ways: objects at whose end a way is new are changed themselves. Each way
  /// is gone back from its end, step by step, so that a row is looked at once a step, however many
  /// ways lead to it.
  func rowsLeadingToChanges(
    _ predicate: BoundPredicate, from entity: EntityBinding
  ) throws -> Set<Int64> {
    // An object of which only a to-many was changed has its row's values.
    let relinked = pendingUpdates.filter(\.isUpdated) + pendingDeletes.filter(\.isDeleted)
    let changed = relinked.filter { $0._side?.snapshot != nil }
    guard !relinked.isEmpty else { return [] }
    var found: Set<Int64> = []
    for way in predicate.ways {
      var keys: Set<Int64> = []
      for index in way.indices.reversed() {
        // Where a to-many is on the way or comes next, its members count too.
        let isLinked = way.prefix(index + 2).contains(where: \.isToMany)
        let root = binding(at: way[index].destination).root
        // What the parent has yet to save has a row for a child.
        for object in isLinked ? relinked : changed
        where object._entity.binding.root == root && (object._key > 0 || parent != nil) {
          keys.insert(object._key)
        }
        guard !keys.isEmpty else { continue }
        let start = index > 0 ? binding(at: way[index - 1].destination) : entity
        keys = try origins(of: way[index], from: start, to: keys)
      }
      found.formUnion(keys)
    }
    return found
  }

  /// The keys of the stored rows from which a step leads to one of some.
  private func origins(
    of step: BoundStep, from start: EntityBinding, to keys: Set<Int64>
  ) throws -> Set<Int64> {
    let ends = BoundKeys(keys.sorted())
    guard case .toMany(let toMany, let entity) = step else {
      var plan = FetchPlan(entity: start)
      if case .toOne(let toOne) = step {
        plan.predicate = .relationship(
          BoundKeyPath(hops: [], slot: toOne.slot, type: nil), isIn: ends)
      }
      return try self.keys(of: plan)
    }
    switch toMany.storage {
    case .foreignKey(let slot):
      var plan = FetchPlan(entity: binding(at: toMany.destination))
      plan.predicate = .object(isIn: ends)
      return try read(plan) { cursor in
        var owners: Set<Int64> = []
        while try cursor.next() {
          let row = try cursor.makeRow()
          if row.hasValue(slot) { owners.insert(row.integer(slot)) }
          row.free(slotCount: entities[cursor.entity].binding.slotCount)
        }
        return owners
      }
    case .join:
      var plan = FetchPlan(entity: binding(at: entity))
      let members = BoundCollection(levels: [
        BoundCollection.Level(owner: 0, hops: [], toMany: toMany, entity: entity, member: 1)
      ])
      plan.predicate = .exists(
        members, .oneOf(.key(scope: 1), BoundValues(ends.keys.map { .integer($0) })))
      return try self.keys(of: plan)
    case .memory: return []
    }
  }

  private func keys(of plan: FetchPlan) throws -> Set<Int64> {
    var plan = plan
    (plan.keysOnly, plan.isUnordered) = (true, true)
    return try read(plan) { cursor in
      var keys: Set<Int64> = []
      while try cursor.next() { keys.insert(cursor.key) }
      return keys
    }
  }
}
