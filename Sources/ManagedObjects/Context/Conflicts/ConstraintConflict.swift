import DataModel

/// Objects with the same values of attributes that the model declares unique.
///
///     conflict.constraint                        // ["name"]
///     conflict.constraintValues                  // [.string("Fido")]
///     conflict.databaseSnapshot?["age"]          // of the Fido that is stored
///     conflict.conflictingObjects[0]             // the object inserted here
///
/// All of them are in the context, or one of them is only in the store. The rules merge them into
/// one: the object that has a row, else the one that was inserted first. The other objects' values
/// are merged into it property by property, their relationships are moved to it, and they are
/// deleted: keep `databaseObject` or fetch again. If merging is impossible, one side gives up its
/// value: with `mergeByPropertyStoreTrump` and `rollback` an object that has a row of its own gets
/// its old value back; with the other policies it replaces the stored object. Follows Core Data's
/// `NSConstraintConflict`.
public struct ConstraintConflict {
  /// The attributes that together must be unique.
  public let constraint: [String]
  /// Those values.
  public let constraintValues: [AttributeValue]
  /// The object whose row has the values; nil if only objects of this context have them.
  ///
  /// It is fetched if it was not registered.
  public let databaseObject: ManagedObject?
  /// The objects of this context that are to be saved with the values, the oldest first.
  public let conflictingObjects: [ManagedObject]

  /// The values of `databaseObject` as they are stored.
  public var databaseSnapshot: [String: any Sendable]? {
    databaseObject?.committedSnapshot
  }

  /// The values of each of `conflictingObjects` when it was last read or saved.
  ///
  /// One that was never saved has none, as with `committedValues(forKeys:)`; its current values are
  /// in the object.
  public var conflictingSnapshots: [[String: any Sendable]] {
    conflictingObjects.map(\.committedSnapshot)
  }
}

@available(*, unavailable) extension ConstraintConflict: Sendable {}

extension ConstraintConflict {
  /// Resolves the conflict by a rule.
  func resolve(_ rule: MergePolicy.MergePolicyType) throws {
    let kept = databaseObject ?? conflictingObjects[0]
    let context = kept.requiredContext
    if rule == .error {
      throw PersistentStoreError.uniquenessViolation(
        entity: kept._entity.binding.name, properties: constraint)
    }
    for object in conflictingObjects
    where object !== kept && object._state.isDisjoint(with: [.deleted, .detached]) {
      switch (rule, object.isInserted) {
      case (.rollback, true): context.delete(object)
      case (.rollback, false): try context.refresh(object, mergeChanges: false)
      case (_, true):
        kept.absorb(object, rule)
        kept.note(.mergePolicy)
        object.discardMerged()
      case (.mergeByPropertyStoreTrump, false):
        object.takeBack(constraint)
        object.note(.mergePolicy)
      case (_, false):
        // This object remains: it has a row, and takes precedence over the stored one.
        object.absorb(kept, .mergeByPropertyStoreTrump)
        object.note(.mergePolicy)
        context.delete(kept)
        return
      }
    }
  }
}

extension ManagedObjectContext {
  /// The objects to save that share unique values with one another or with a row.
  func constraintConflicts(
    _ entity: String, _ properties: [String]
  ) throws -> [ConstraintConflict] {
    // Values are unique within a store only.
    struct Group: Hashable {
      let family: [Int]
      let values: [DistinctValue]
    }
    var groups: [Group: [ManagedObject]] = [:]
    var order: [(group: Group, values: [AttributeValue])] = []
    // Objects with a row first: they are older.
    for object in pendingUpdates.filter(\.isUpdated) + pendingInserts.filter(\.isInserted) {
      let binding = object._entity.binding
      guard
        let unique = binding.uniqueness.first(where: {
          $0.properties == properties
            && $0.family.contains { self.binding(at: $0).name == entity }
        })
      else { continue }
      let values = unique.properties.compactMap { object.attributeValue($0) }
      guard values.count == unique.properties.count else { continue }
      let group = Group(
        family: unique.family, values: values.map { DistinctValue(Scalar($0)) })
      if groups[group] == nil { order.append((group, values)) }
      groups[group, default: []].append(object)
    }
    var conflicts: [ConstraintConflict] = []
    for (group, values) in order {
      // Every group in `order` has its objects.
      let objects = groups[group]!
      let stored = try storedObject(group.family, properties, values)
      guard objects.count > 1 || stored != nil else { continue }
      let isAmong = objects.contains { $0 === stored }
      if objects.count == 1 && isAmong { continue }
      conflicts.append(
        ConstraintConflict(
          constraint: properties, constraintValues: values, databaseObject: stored,
          conflictingObjects: objects.filter { $0 !== stored }))
    }
    return conflicts
  }

  /// The object of the row that has some unique values, unless it is changed or deleted here.
  private func storedObject(
    _ family: [Int], _ properties: [String], _ values: [AttributeValue]
  ) throws -> ManagedObject? {
    // The entity that has the constraint comes before its subentities.
    var request = FetchRequest<ManagedObject>(entityName: binding(at: family[0]).name)
    request.includesPendingChanges = false
    request.predicate = .all(
      zip(properties, values).map { FetchRequest.Predicate.comparison($0, .equal, $1) })
    return try fetch(request).first { object in
      object._state.isDisjoint(with: [.deleted, .detached])
        && object._entity.binding.store === binding(at: family[0]).store
        && zip(properties, values).allSatisfy { property, value in
          object.attributeValue(property)?.compare(value) == 0
        }
    }
  }
}

extension ManagedObject {
  fileprivate func attributeValue(_ name: String) -> AttributeValue? {
    let binding = _entity.binding
    guard let slot = binding.slotsByName[name], case .attribute(let attribute) = binding.slots[slot]
    else { return nil }
    return row.value(at: slot, type: attribute.type)
  }

  /// Restores the stored values of some attributes.
  fileprivate func takeBack(_ properties: [String]) {
    guard let snapshot = _side?.snapshot else { return }
    requiredContext.observers?.note(self)
    let binding = _entity.binding
    for name in properties {
      guard let slot = binding.slotsByName[name] else { continue }
      replaceRow(with: row.taking(slot, from: snapshot, of: binding))
    }
  }

  /// Merges the values of another object that represents the same thing.
  ///
  /// A value other than the default counts as set; if both have one, the rule decides.
  fileprivate func absorb(_ other: ManagedObject, _ rule: MergePolicy.MergePolicyType) {
    _prepareForChange()
    let binding = _entity.binding
    let others = other._entity.binding
    let defaults = binding.newRow()
    defer { defaults.free(slotCount: binding.slotCount) }
    func takes(_ slot: Int, isSet: Bool) -> Bool {
      let isOwn = !row.isEqual(slot, to: defaults, isTail: binding.kinds[slot].isTail)
      return rule == .overwrite || isSet && (rule == .mergeByPropertyObjectTrump || !isOwn)
    }
    for (index, content) in others.slots.enumerated() {
      switch content {
      case .attribute(let attribute) where !attribute.isDerived:
        guard let slot = binding.slotsByName[attribute.name],
          binding.kinds[slot] == others.kinds[index]
        else { continue }
        let value = other.row.value(at: index, type: attribute.type)
        guard takes(slot, isSet: value != attribute.defaultValue) else { continue }
        _slots =
          row.setting(value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots).slots
      case .toOne(let relationship):
        guard let slot = binding.slotsByName[relationship.name] else { continue }
        let object = other.toOne(index)
        guard takes(slot, isSet: object != nil), object !== self else { continue }
        other.setToOne(nil, slot: index)
        setToOne(object, slot: slot)
      default: continue
      }
    }
    for toMany in others.toManys {
      guard let number = binding.toManysByName[toMany.description.name] else { continue }
      other.loaded(toMany)
      for member in other.lists.toManys[toMany.number].members where member !== self {
        other.unlink(member, toMany)
        link(member, binding.toManys[number])
      }
    }
    requiredContext.lead(from: other, to: self)
  }

  /// Ends a new object that was merged into another.
  fileprivate func discardMerged() {
    for toOne in _entity.binding.toOnes { setToOne(nil, slot: toOne.slot) }
    end()
  }
}

extension ManagedObjectContext {
  /// Redirects to-ones without an inverse, of changed objects, to another object.
  fileprivate func lead(from old: ManagedObject, to new: ManagedObject) {
    // Most models have none.
    guard entities.contains(where: { $0.binding.toOnes.contains(where: \.isWithoutInverse) }) else {
      return
    }
    for object in pendingInserts + pendingUpdates where object.isInserted || object.isUpdated {
      for toOne in object._entity.binding.toOnes {
        guard toOne.isWithoutInverse, object.row.hasValue(toOne.slot),
          object.row.integer(toOne.slot) == old._key, object.toOne(toOne.slot) === old
        else { continue }
        object.setToOne(new, slot: toOne.slot)
      }
    }
  }
}

extension EntityBinding.ToOne {
  fileprivate var isWithoutInverse: Bool {
    if case .none = inverse { true } else { false }
  }
}
