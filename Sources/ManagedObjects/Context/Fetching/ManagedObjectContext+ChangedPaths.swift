import DataModel

/// Finds the rows whose match depends on values that are changed here.
extension ManagedObjectContext {
  /// The keys of stored rows from which a path of a predicate reaches a changed object.
  ///
  /// Paths are followed as they are stored: objects with a changed relationship are changed
  /// themselves. Each path is followed backwards from its end, step by step, so that a row is read
  /// once per step, however many paths reach it.
  func rowsLeadingToChanges(
    _ predicate: BoundPredicate, from entity: EntityBinding
  ) throws -> Set<Int64> {
    // An object with only a changed to-many has the values of its row.
    let relinked = pendingUpdates.filter(\.isUpdated) + pendingDeletes.filter(\.isDeleted)
    let changed = relinked.filter { $0._side?.snapshot != nil }
    guard !relinked.isEmpty else { return [] }
    var found: Set<Int64> = []
    for path in predicate.relationshipPaths {
      var keys: Set<Int64> = []
      for index in path.indices.reversed() {
        // Where the path has a to-many up to the next step, its members count too.
        let isLinked = path.prefix(index + 2).contains(where: \.isToMany)
        let root = binding(at: path[index].destination).root
        // For a child, unsaved objects of the parent have rows as well.
        for object in isLinked ? relinked : changed
        where object._entity.binding.root == root && (object._key > 0 || parent != nil) {
          keys.insert(object._key)
        }
        guard !keys.isEmpty else { continue }
        let start = index > 0 ? binding(at: path[index - 1].destination) : entity
        keys = try origins(of: path[index], from: start, to: keys)
      }
      found.formUnion(keys)
    }
    return found
  }

  /// The keys of the stored rows that a step connects with some other rows.
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
