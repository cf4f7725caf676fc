import DataModel

/// The object that `$FETCH_SOURCE` stands for in the predicate of a fetched property.
///
/// Key paths after the variable are resolved as in any predicate, with the object's current values,
/// including unsaved ones.
struct FetchSource {
  let object: ManagedObject
  let bindings: [EntityBinding]

  /// The value of a key path: a value, an object, or a list if a relationship on the path is
  /// to-many.
  ///
  /// A list has each value once.
  ///
  /// - Throws: Where the object's entity has no such key path.
  func expression(at names: String) throws(PredicateBindingError) -> FetchExpression {
    do {
      return try expression(along: path(names))
    } catch {
      // A to-one's destination may be of a subentity, with more properties than the to-one's
      // entity.
      guard let dot = names.firstIndex(of: "."),
        let slot = object._entity.binding.slotsByName[String(names[..<dot])],
        object._entity.binding.toOnesBySlot[slot] != nil, let end = object.toOne(slot)
      else { throw error }
      return try FetchSource(object: end, bindings: bindings)
        .expression(at: String(names[names.index(after: dot)...]))
    }
  }

  private func expression(
    along path: PredicatePath
  ) throws(PredicateBindingError) -> FetchExpression {
    var objects = [object]
    for level in path.levels {
      objects = objects.compactMap { $0.follow(level.hops) }.flatMap { $0.presentMembers(level) }
    }
    if case .operation(let aggregate, let names) = path.end {
      return .constant(try value(aggregate, of: objects, names)?.value(as: nil))
    }
    let found: [FetchExpression] = objects.map {
      $0.follow(path.hops)?.expression(at: path.end) ?? .constant(nil)
    }
    guard path.levels.isEmpty else {
      var seen: Set<FetchExpression> = []
      return .aggregate(found.filter { seen.insert($0).inserted })
    }
    return found[0]
  }

  /// Resolves the key path, so that everything that is read afterwards is known to exist.
  private func path(_ names: String) throws(PredicateBindingError) -> PredicatePath {
    var binder = PredicateBinder(entity: object._entity.binding, bindings: bindings)
    binder.allowsTransient = true
    let scopes = PredicateBinder.Scopes(entities: [binder.entity])
    let path = try binder.path(names, scopes)
    // Checks that the operator can be applied to such values.
    if case .operation = path.end { _ = try binder.value(.keyPath(names), scopes) }
    return path
  }

  private func value(
    _ aggregate: AggregateFunction, of members: [ManagedObject], _ names: String?
  ) throws(PredicateBindingError) -> Scalar? {
    var fold = AggregateFold(aggregate)
    for member in members {
      var value: Scalar?
      if let names {
        let source = FetchSource(object: member, bindings: bindings)
        if case .constant(let found?) = try source.expression(at: names).kind {
          value = Scalar(found)
        }
      }
      fold.add(value)
    }
    return fold.result
  }
}

extension ManagedObject {
  /// The destination of a path of to-ones; nil if one has no destination.
  fileprivate func follow(_ hops: [EntityBinding.ToOne]) -> ManagedObject? {
    var object: ManagedObject? = self
    for hop in hops { object = object?.toOne(hop.slot) }
    return object
  }

  /// The members of a to-many that exist and are not deleted.
  fileprivate func presentMembers(_ level: BoundCollection.Level) -> [ManagedObject] {
    _ = row
    guard !_state.contains(.detached) else { return [] }
    // A subentity's to-manys begin with those of its superentity.
    let toMany = loaded(_entity.binding.toManys[level.toMany.number])
    return lists.toManys[toMany.number].members.filter {
      $0._state.isDisjoint(with: [.deleted, .detached])
    }
  }

  /// The value at the end of a key path: the object itself, a to-one's destination, or an
  /// attribute.
  fileprivate func expression(at end: PredicatePath.End) -> FetchExpression {
    switch end {
    case .object, .operation: return .object(objectID)
    case .slot(let slot, nil): return toOne(slot).map { .object($0.objectID) } ?? .constant(nil)
    case .slot(let slot, let type?):
      guard row.hasValue(slot) || _readsUnreadable(slot) else { return .constant(nil) }
      return .constant(row.value(at: slot, type: type))
    }
  }
}
