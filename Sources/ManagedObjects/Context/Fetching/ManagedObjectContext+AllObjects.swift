import DataModel

/// Values of key paths over all objects, such as `@max.date`.
extension ManagedObjectContext {
  /// The values of a predicate's key paths over all objects, by name.
  ///
  /// One query each: the first entry of an index for a minimum or maximum, otherwise a scan of all
  /// rows. If unsaved changes are taken into account, the objects are evaluated.
  ///
  /// - Parameter entities: the entity of the request, in each store to fetch from.
  func valuesOfAllObjects(
    _ predicate: FetchPredicate?, among entities: [ContextEntity], pending: Bool,
    subentities: Bool = true, transient: Bool = false
  ) throws -> [String: Scalar?] {
    guard let predicate, predicate.nesting.asksAllObjects else { return [:] }
    var folds: [String: AggregateFold] = [:]
    for entity in entities {
      var binder = PredicateBinder(
        entity: entity.binding, bindings: persistentStoreCoordinator.bindings)
      binder.allowsTransient = transient
      for wanted in try binder.ofAllObjects(predicate) {
        var fold = folds[wanted.names] ?? AggregateFold(wanted.aggregate)
        var plan = FetchPlan(lookingAt: wanted, of: entity.binding)
        plan.includesSubentities = subentities
        let value = wanted.value ?? .constant(nil)
        if parent == nil, !transient, !(pending && hasPendingChanges) {
          try persistentStoreCoordinator.values(plan, [value]) { fold.add($1[0]) }
        } else {
          let evaluation = rowEvaluation()
          for object in try objects(for: plan, pending: pending) {
            fold.add(evaluation.values([value], object.row, key: object._key)[0])
          }
        }
        folds[wanted.names] = fold
      }
    }
    return folds.mapValues(\.result)
  }
}

extension FetchPlan {
  /// Plans to read the rows that an aggregate of all objects depends on.
  fileprivate init(lookingAt wanted: PredicateBinder.OfAllObjects, of entity: EntityBinding) {
    self.init(entity: entity)
    guard wanted.aggregate == .minimum || wanted.aggregate == .maximum,
      case .value(scope: 0, let path)? = wanted.value, path.slot < entity.storedSlotCount
    else {
      isUnordered = true
      return
    }
    predicate = .comparison(path, .notEqual, nil)
    sorts = [BoundSort(keyPath: path, isAscending: wanted.aggregate == .minimum)]
    limit = 1
  }
}
