public import DataModel

/// Binds names to slots, and checks that compared values are comparable.
struct PredicateBinder {
  let entity: EntityBinding
  let bindings: [EntityBinding]
  /// Whether transient properties may be used: by evaluation of objects, not by stores.
  var allowsTransient = false
  /// The values of aggregates over all objects, by key path; see `ofAllObjects(_:)`.
  var valuesOfAllObjects: [String: Scalar?] = [:]

  /// The rows that a part of the predicate can use, and their names.
  struct Scopes {
    /// The entity of each scope: of the evaluated row, and of the members of each enclosing
    /// to-many.
    var entities: [EntityBinding]
    /// The variables of subqueries, and the scope that each refers to.
    var variables: [String] = []
    var numbers: [Int] = []
  }

  func bind(_ predicate: FetchPredicate) throws(PredicateBindingError) -> BoundPredicate {
    try bind(predicate, Scopes(entities: [entity]))
  }

  func bind(_ predicate: FetchPredicate, _ scopes: Scopes) throws(PredicateBindingError)
    -> BoundPredicate
  {
    switch predicate.kind {
    case .constant(let value): return .constant(value)
    case .compare(let comparison): return try bind(comparison, scopes)
    // Nested conjunctions are flattened, so that a long chain of `and` is not a deep tree.
    case .all(let parts):
      var bound: [BoundPredicate] = []
      for part in parts {
        let one = try bind(part, scopes)
        if case .all(let inner) = one { bound += inner } else { bound.append(one) }
      }
      return .all(bound)
    case .any(let parts):
      var bound: [BoundPredicate] = []
      for part in parts {
        let one = try bind(part, scopes)
        if case .any(let inner) = one { bound += inner } else { bound.append(one) }
      }
      return .any(bound)
    case .not(let part):
      let one = try bind(part, scopes)
      if case .not(let inner) = one { return inner }
      return .not(one)
    case .tooDeep: throw Self.tooDeep
    }
  }

  static var tooDeep: PredicateBindingError {
    PredicateBindingError(
      "A predicate may nest \(PredicateNesting.deepest) levels deep; this one is deeper.",
      in: FetchPredicate.tooDeepFormat)
  }

  /// Binds a sort descriptor.
  ///
  /// - Throws: If the key is neither an attribute nor a key path through to-ones that ends in
  ///   one.
  func bind(_ sort: FetchSortDescriptor) throws(PredicateBindingError) -> BoundSort {
    let path = try path(sort.key, Scopes(entities: [entity]))
    guard path.levels.isEmpty, case .slot(let slot, let type) = path.end else {
      throw PredicateBindingError(
        "\(sort.key) is not an attribute of \(entity.name).", in: sort.key)
    }
    return BoundSort(sort, along: BoundKeyPath(hops: path.hops, slot: slot, type: type))
  }
}

extension FetchPredicate {
  /// Checks that the predicate fits an entity, without a store.
  ///
  ///     try predicate.check(entityName: "Walk", in: .dogWalk)
  ///
  /// Makes the same checks as a fetch. O(properties of the model).
  ///
  /// - Precondition: the model has the entity.
  /// - Throws: If a name does not belong to the entity, or values of different kinds are
  ///   compared.
  public func check(
    entityName: String, in model: ManagedObjectModel
  ) throws(PredicateBindingError) {
    let bindings = ModelBinding(model, store: PersistentStoreIdentity(identifier: "")).entities
    guard let entity = bindings.first(where: { $0.name == entityName }) else {
      fatalError("The model has no entity \(entityName).")
    }
    _ = try PredicateBinder(entity: entity, bindings: bindings).bind(self)
  }
}
