/// Applies the changes of an event to fetched results, without fetching again.
///
/// Only changed objects are evaluated and sorted; the others keep their order. That is correct if
/// the result depends on nothing else: see `init`.
struct FetchedResultsUpdate<Result: ManagedObject> {
  private let plan: FetchPlan
  private let evaluation: RowEvaluation
  /// Whether a class names the sections, so that any change may affect the names.
  let isNamedByClass: Bool

  /// Checks whether the changes of an event can be applied; nil if a fetch is necessary.
  ///
  /// It is necessary if there is a limit or an offset, unsaved changes are excluded, several stores
  /// are fetched from, objects were refreshed, or an object was changed on which the predicate,
  /// order or section of other objects depends.
  ///
  /// - Parameter names: the key path of the sections' names; nil for none.
  init?(
    _ request: FetchRequest<Result>, names: SectionNameKeyPath?, _ changes: ObjectChanges,
    in context: ManagedObjectContext
  ) throws {
    guard request.fetchLimit == 0, request.fetchOffset == 0, request.includesPendingChanges,
      request.includesPropertyValues, changes.refreshed.isEmpty,
      request.predicate?.nesting.asksAllObjects != true
    else { return nil }
    let plans = try context.plans(request)
    guard plans.count == 1 else { return nil }
    plan = plans[0]
    evaluation = context.rowEvaluation()
    let entity = plan.entity
    isNamedByClass = names.map { !$0.leadsToAttribute(from: entity, in: context) } ?? false
    var relationshipPaths = plan.predicate?.relationshipPaths ?? []
    for sort in plan.sorts { relationshipPaths.append(sort.keyPath.hops.map { .toOne($0) }) }
    if let names { relationshipPaths.append(entity.pathThroughToOnes(names.keys, in: context)) }
    var roots: Set<Int> = []
    for step in relationshipPaths.joined() {
      roots.insert(context.binding(at: step.destination).root)
    }
    guard !roots.isEmpty else { return }
    for objects in [changes.inserted, changes.updated, changes.deleted, changes.insertedAndDeleted]
    {
      if objects.contains(where: { roots.contains($0._entity.binding.root) }) { return nil }
    }
  }

  /// Whether an object matches the request.
  func contains(_ object: ManagedObject) -> Bool {
    guard object._state.isDisjoint(with: [.deleted, .detached]), isOfFamily(object) else {
      return false
    }
    return plan.predicate.map { evaluation.holds($0, object.row, key: object._key) } ?? true
  }

  /// Whether an object is of an entity of the request.
  func isOfFamily(_ object: ManagedObject) -> Bool {
    let index = object._entity.binding.index
    return plan.includesSubentities
      ? plan.entity.family.contains(index) : plan.entity.index == index
  }

  /// Objects in the request's order.
  func sorted(_ objects: [Result]) -> [Result] { objects.sorted(by: areInOrder) }

  /// Merges objects into a list, both in the request's order.
  func merging(_ objects: [Result], into list: [Result]) -> [Result] {
    guard !objects.isEmpty else { return list }
    var merged: [Result] = []
    merged.reserveCapacity(list.count + objects.count)
    var next = 0
    for object in sorted(objects) {
      // The first object after it.
      var low = next
      var high = list.count
      while low < high {
        let middle = (low + high) / 2
        if areInOrder(object, list[middle]) { high = middle } else { low = middle + 1 }
      }
      merged += list[next..<low]
      merged.append(object)
      next = low
    }
    return merged + list[next...]
  }

  private func areInOrder(_ one: Result, _ other: Result) -> Bool {
    plan.sorts.areInOrder(
      (one.row, one._key), (other.row, other._key), lookup: evaluation.toOne)
  }
}

@available(*, unavailable) extension FetchedResultsUpdate: Sendable {}

extension EntityBinding {
  /// The to-ones at the beginning of a key path.
  func pathThroughToOnes(
    _ names: [String], in context: ManagedObjectContext
  ) -> [BoundStep] {
    var path: [BoundStep] = []
    var entity = self
    for name in names {
      guard let toOne = entity.slotsByName[name].flatMap({ entity.toOnesBySlot[$0] }) else { break }
      path.append(.toOne(toOne))
      entity = context.binding(at: toOne.destination)
    }
    return path
  }
}
