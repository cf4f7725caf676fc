/// Evaluating predicates on objects, with their unsaved values.
extension ManagedObjectContext {
  /// Evaluates predicates on this context's objects, following their relationships.
  func rowEvaluation() -> RowEvaluation {
    // Rows that a predicate reads stay in memory as long as their objects do.
    let held = HeldObjects()
    return RowEvaluation(
      toOne: { toOne, row in
        let object = self.object(row.integer(toOne.slot), at: toOne, in: row)
        held.objects.append(object)
        let row = object.row
        return object._state.contains(.detached) ? nil : row
      },
      members: { toMany, entity, key in
        let owner =
          self.registeredObject(key, of: entity)
          ?? self.object(key, ofFamily: self.contextEntity(at: entity))
        held.objects.append(owner)
        _ = owner.row
        guard !owner._state.contains(.detached) else { return [] }
        // A subentity's to-manys begin with those of its superentity.
        owner.loaded(owner._entity.binding.toManys[toMany.number])
        return owner.lists.toManys[toMany.number].members.compactMap { member in
          held.objects.append(member)
          let row = member.row
          guard member._state.isDisjoint(with: [.deleted, .detached]) else { return nil }
          return RowEvaluation.Member(row: row, key: member._key)
        }
      })
  }
}

/// Objects to be retained during an evaluation.
private final class HeldObjects {
  var objects: [ManagedObject] = []
}

extension FetchPredicate {
  /// Whether an object meets the condition, with its current values, including unsaved ones.
  ///
  ///     try FetchPredicate(format: "ANY walks.duration > 3600").evaluate(with: fido)
  ///
  /// The answer is the same as a fetch's; transient attributes are allowed as well. Faults on the
  /// path are fired. For many objects, `filtered(using:)` resolves the names once. Follows Core
  /// Data's `evaluate(with:substitutionVariables:)`.
  ///
  /// - Throws: `PredicateBindingError` if the predicate does not fit the object's entity.
  public func evaluate(
    with object: ManagedObject,
    substitutionVariables variables: [String: (any FetchPredicateArgument)?] = [:]
  ) throws(PredicateBindingError) -> Bool {
    let predicate = variables.isEmpty ? self : withSubstitutionVariables(variables)
    var judge = ObjectPredicate(predicate, context: object.requiredContext)
    return try judge.matches(object)
  }
}

extension Sequence where Element: ManagedObject {
  /// The objects that meet a condition, in their order.
  ///
  /// Follows Foundation's `filtered(using:)`.
  ///
  /// - Throws: `PredicateBindingError` if the predicate does not fit an object's entity.
  public func filtered(using predicate: FetchPredicate) throws(PredicateBindingError) -> [Element] {
    var judge: ObjectPredicate?
    var found: [Element] = []
    for object in self {
      if judge == nil { judge = ObjectPredicate(predicate, context: object.requiredContext) }
      if try judge?.matches(object) == true { found.append(object) }
    }
    return found
  }
}

/// A predicate that is bound to each entity it is evaluated on.
private struct ObjectPredicate {
  private let predicate: FetchPredicate
  private let context: ManagedObjectContext
  private let evaluation: RowEvaluation
  private var bound: (entity: EntityBinding, predicate: BoundPredicate)?

  init(_ predicate: FetchPredicate, context: ManagedObjectContext) {
    self.predicate = predicate
    self.context = context
    evaluation = context.rowEvaluation()
  }

  mutating func matches(_ object: ManagedObject) throws(PredicateBindingError) -> Bool {
    let entity = object._entity.binding
    if let bound, bound.entity === entity {
      return evaluation.holds(bound.predicate, object.row, key: object._key)
    }
    var binder = PredicateBinder(
      entity: entity, bindings: context.persistentStoreCoordinator.bindings)
    binder.allowsTransient = true
    do {
      binder.valuesOfAllObjects = try context.valuesOfAllObjects(
        predicate,
        among: context.hasSeveralStores ? context.entities(named: entity.name) : [object._entity],
        pending: true, transient: true)
    } catch let error as PredicateBindingError {
      throw error
    } catch {
      // Handled like a fault that cannot be fired.
      context.faultingError = context.faultingError ?? error
    }
    let predicate = try binder.bind(predicate)
    bound = (entity, predicate)
    return evaluation.holds(predicate, object.row, key: object._key)
  }
}
