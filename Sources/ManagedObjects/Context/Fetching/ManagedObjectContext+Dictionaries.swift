public import DataModel

extension ManagedObjectContext {
  /// Fetches dictionaries of values instead of objects, optionally grouped and aggregated.
  ///
  ///     var request = Walk.fetchRequest()
  ///     request.propertiesToFetch = [
  ///       "dog.name", ExpressionDescription(name: "total", .sum, of: .keyPath("duration")),
  ///     ]
  ///     request.propertiesToGroupBy = ["dog.name"]
  ///     request.havingPredicate = try .init(format: "total > 3600")
  ///     for row in try context.fetchDictionaries(request) { print(row) }
  ///
  /// The condition on groups may refer to keys, also as variables (`$total > 3600`), and to other
  /// properties, whose values are those of a group's first row. Properties without a value have no
  /// key. A to-one's value is the URI of its object's ID. In a group, a value that is not an
  /// aggregate is that of its first row; groups are in the order of their first rows. Unsaved
  /// changes are ignored. The store reads only the columns that are needed; grouping happens here.
  /// Follows Core Data's result type `dictionaryResultType`.
  ///
  /// - Throws: `PredicateBindingError` if a predicate or an expression does not fit;
  ///   `PersistentStoreError` if the store cannot be read.
  /// - Precondition: the request sorts by no comparator.
  public func fetchDictionaries<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) throws -> [[String: AttributeValue]] {
    guard let having = request.havingPredicate else { return try dictionaries(request) }
    // Properties in the condition are fetched too, and removed from the result.
    var whole = request
    (whole.fetchLimit, whole.fetchOffset) = (0, 0)
    guard let entity = try plans(whole).first?.entity else { return [] }
    if whole.propertiesToFetch.isEmpty { whole.propertiesToFetch = entity.storedProperties }
    let others = Set(having.dictionaryKeys).subtracting(whole.propertiesToFetch.map(\.name))
      .sorted()
    whole.propertiesToFetch += others.map { ExpressionDescription(stringLiteral: $0) }
    let binder = PredicateBinder(entity: entity, bindings: persistentStoreCoordinator.bindings)
    var result = try dictionaries(whole).filter { try having.holds(for: $0, binder) }
    if !others.isEmpty {
      for index in result.indices { for name in others { result[index][name] = nil } }
      if request.returnsDistinctResults {
        var seen: Set<[String: AttributeValue]> = []
        result.removeAll { !seen.insert($0).inserted }
      }
    }
    let rest = result.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  /// The dictionaries of a request, before its condition on groups is applied.
  private func dictionaries<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) throws -> [[String: AttributeValue]] {
    var whole = request
    if !request.givesRows { (whole.fetchLimit, whole.fetchOffset) = (0, 0) }
    var plans = try plans(whole)
    guard let first = plans.first else { return [] }
    require(!first.sorts.needsMemory, "A comparator sorts objects, not dictionaries.")
    // The store can apply limit and offset only to single rows of one store.
    let isCut = request.givesRows && plans.count == 1
    if !isCut { for index in plans.indices { (plans[index].limit, plans[index].offset) = (0, 0) } }
    var binder = PredicateBinder(
      entity: first.entity, bindings: persistentStoreCoordinator.bindings)
    let values = request.propertiesToFetch.map { property in
      FetchPredicate.compare(.init(property.expression, .equal, .constant(nil)))
    }
    binder.valuesOfAllObjects = try valuesOfAllObjects(
      .all(values), among: plans.map { contextEntity(at: $0.entity.index) }, pending: false,
      subentities: request.includesSubentities)
    var dictionaries = try FetchedDictionaries(request, binder)
    if let made = try addAll(plans, of: request, binder.valuesOfAllObjects, to: &dictionaries) {
      return made
    }
    let result = dictionaries.finish()
    guard !isCut else { return result }
    let rest = result.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  /// Adds the rows of all stores, in one order; returns dictionaries that a store has built itself.
  private func addAll<Result: ManagedObject>(
    _ plans: [FetchPlan], of request: FetchRequest<Result>, _ values: [String: Scalar?],
    to dictionaries: inout FetchedDictionaries
  ) throws -> [[String: AttributeValue]]? {
    if plans.count == 1, let plan = plans.first {
      let expressions = dictionaries.expressions
      return try persistentStoreCoordinator.dictionaries(plan, expressions) { row, values in
        dictionaries.add(values, key: plan.isUnordered ? row.key : nil)
      }
    }
    var rows: [(values: [Scalar?], keys: SortKeys)] = []
    for var plan in plans {
      // Each store's rows are read in order, which determines the first rows.
      plan.isUnordered = false
      var binder = PredicateBinder(
        entity: plan.entity, bindings: persistentStoreCoordinator.bindings)
      binder.valuesOfAllObjects = values
      let ofStore = try FetchedDictionaries(request, binder)
      let expressions = ofStore.expressions
      let sorted = plan.sorts.map { BoundExpression.value(scope: 0, $0.keyPath) }
      try persistentStoreCoordinator.values(plan, expressions + sorted) { _, values in
        rows.append(
          (
            ofStore.naming(Array(values.prefix(expressions.count))),
            Array(values.dropFirst(expressions.count))
          ))
      }
    }
    let order = rows.indices.sorted { one, other in
      plans[0].sorts.areInOrder(rows[one].keys, rows[other].keys) ?? (one < other)
    }
    for index in order { dictionaries.add(rows[index].values, key: nil) }
    return nil
  }
}

extension FetchRequest {
  /// Whether each row found becomes one dictionary.
  fileprivate var givesRows: Bool {
    propertiesToGroupBy.isEmpty && !propertiesToFetch.contains { $0.aggregate != nil }
      && !returnsDistinctResults && havingPredicate == nil
  }
}

extension FetchExpression {
  /// The dictionary key that it refers to: a key path, or a variable of that name, as in
  /// `$count > 1`.
  fileprivate var dictionaryKey: String? {
    switch kind {
    case .keyPath(let name), .variable(let name): name
    default: nil
    }
  }
}

extension FetchPredicate {
  /// The keys that a condition on dictionaries refers to.
  fileprivate var dictionaryKeys: [String] {
    var names: [String] = []
    _ = replacing {
      if let name = $0.dictionaryKey { names.append(name) }
      return nil
    }
    return names
  }

  /// Whether a dictionary meets the condition, whose key paths and variables are its keys.
  fileprivate func holds(
    for dictionary: [String: AttributeValue], _ binder: PredicateBinder
  ) throws(PredicateBindingError) -> Bool {
    let bound = try binder.bind(
      replacing {
        $0.dictionaryKey.map { .constant(dictionary[$0]) }
      })
    // Only constants are left to evaluate.
    let row = PackedRow.empty(slotCount: 0)
    defer { row.free(slotCount: 0) }
    return RowEvaluation(toOne: { _, _ in nil }, members: { _, _, _ in [] })
      .holds(bound, row, key: 0)
  }
}
