import DataModel

/// What `$FETCH_SOURCE`, and names behind it, stand for in the predicate of a fetched property.
///
/// The names mean what they mean in any predicate; the values are those of now, unsaved ones too.
struct FetchSource {
  let object: ManagedObject
  let bindings: [EntityBinding]

  /// What names with dots between them lead to: a value, an object, or a list where it is many.
  ///
  /// A list has each value once.
  ///
  /// - Throws: Where the object's entity has no such way.
  func expression(at names: String) throws(PredicateBindingError) -> FetchExpression {
    do {
      return try expression(along: path(names))
    } catch {
      // What a to-one leads to may be of a subentity, which has more than the to-one's entity.
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

  /// Looks the names up, so that whatever is read afterwards is there.
  private func path(_ names: String) throws(PredicateBindingError) -> PredicatePath {
    var binder = PredicateBinder(entity: object._entity.binding, bindings: bindings)
    binder.allowsTransient = true
    let scopes = PredicateBinder.Scopes(entities: [binder.entity])
    let path = try binder.path(names, scopes)
    // Makes sure that the operator can make something of such values.
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
  /// The object that to-ones lead to; nil where one leads to nobody.
  fileprivate func follow(_ hops: [EntityBinding.ToOne]) -> ManagedObject? {
    var object: ManagedObject? = self
    for hop in hops { object = object?.toOne(hop.slot) }
    return object
  }

  /// The members of a to-many that are there and not deleted.
  fileprivate func presentMembers(_ level: BoundCollection.Level) -> [ManagedObject] {
    _ = row
    guard !_state.contains(.gone) else { return [] }
    // A subentity's to-manys begin with those of its superentity.
    let toMany = loaded(_entity.binding.toManys[level.toMany.number])
    return lists.toManys[toMany.number].members.filter {
      $0._state.isDisjoint(with: [.deleted, .gone])
    }
  }

  /// The object itself, one that it leads to, or a value.
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
