public import DataModel

extension ManagedObjectContext {
  /// Fetches dictionaries of values instead of objects, grouped and counted together where wanted.
  ///
  ///     var request = Walk.fetchRequest()
  ///     request.propertiesToFetch = [
  ///       "dog.name", ExpressionDescription(name: "total", .sum, of: .keyPath("duration")),
  ///     ]
  ///     request.propertiesToGroupBy = ["dog.name"]
  ///     request.havingPredicate = try .init(format: "total > 3600")
  ///     for row in try context.fetchDictionaries(request) { … }
  ///
  /// What has no value has no key. A to-one's value is the URI of its object's ID. Of a group, a value
  /// that is no aggregate is that of its first row; groups stand in the order of their first rows.
  /// Only what is stored counts. The store reads the columns asked for and nothing else; groups are
  /// made here. Core Data's result type `dictionaryResultType`.
  ///
  /// - Throws: `PredicateBindingError` where a predicate or an expression does not fit;
  ///   `PersistentStoreError` where the store cannot be read.
  /// - Precondition: the request names properties to fetch, and sorts by no comparator. Of several
  ///   stores with the entity the first is asked.
  public func fetchDictionaries<Result: ManagedObject>(
    _ request: FetchRequest<Result>
  ) throws -> [[String: AttributeValue]] {
    precondition(!request.propertiesToFetch.isEmpty, "propertiesToFetch names no values to fetch.")
    guard var plan = try plans(request).first else { return [] }
    precondition(!plan.sorts.needsMemory, "A comparator sorts objects, not dictionaries.")
    let binder = PredicateBinder(
      entity: plan.entity, bindings: persistentStoreCoordinator.bindings)
    var dictionaries = FetchedDictionaries(
      columns: try request.propertiesToFetch.map { try FetchedDictionaries.Column($0, binder) },
      groups: try request.propertiesToGroupBy.map {
        try FetchedDictionaries.Column(ExpressionDescription(stringLiteral: $0), binder)
      }, isDistinct: request.returnsDistinctResults)
    // Only single rows can be counted off by the store.
    let areRows = !dictionaries.areGrouped && !dictionaries.isDistinct
    let isCut = areRows && request.havingPredicate == nil
    if !isCut { (plan.limit, plan.offset) = (0, 0) }
    try persistentStoreCoordinator.values(plan, dictionaries.expressions) { dictionaries.add($0) }
    var result = dictionaries.finish()
    if let having = request.havingPredicate {
      result = try result.filter { try having.holds(for: $0, binder) }
    }
    guard !isCut else { return result }
    let rest = result.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }
}

extension FetchPredicate {
  /// Whether a dictionary meets the condition, whose key paths are its keys.
  fileprivate func holds(
    for dictionary: [String: AttributeValue], _ binder: PredicateBinder
  ) throws(PredicateBindingError) -> Bool {
    let bound = try binder.bind(
      replacing {
        guard case .keyPath(let name) = $0 else { return nil }
        return .constant(dictionary[name])
      })
    // Nothing but constants is left to look at.
    let row = PackedRow.empty(slotCount: 0)
    defer { row.free(slotCount: 0) }
    return RowEvaluation(toOne: { _, _ in nil }, members: { _, _, _ in [] })
      .holds(bound, row, key: 0)
  }
}
