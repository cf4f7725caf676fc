import DataModel

/// The propagation of one deletion along the delete rules.
///
/// Depth first, as if each object deleted its related objects itself; pending objects are kept in a
/// list, so that no depth overflows the stack.
struct Deletion {
  private let context: ManagedObjectContext
  /// The objects whose relationships are being followed, the latest last.
  private var open: [Follower] = []

  /// The object whose saved insertion is undone: what its to-ones refer to stays.
  private let undone: ManagedObject?

  init(in context: ManagedObjectContext, undoing undone: ManagedObject? = nil) {
    self.context = context
    self.undone = undone
  }

  /// Deletes an object and all objects that its delete rules reach.
  mutating func delete(_ object: ManagedObject) {
    guard var first = mark(object), let next = first.next(in: context, undoing: undone) else {
      return
    }
    open = [first]
    follow(from: next)
  }

  /// Applies the delete rule of a to-many of a deleted object to the current members.
  mutating func follow(_ toMany: EntityBinding.ToMany, of owner: ManagedObject) {
    for member in owner.followRule(of: toMany) where owner.hasMember(member, toMany) {
      delete(member)
    }
  }

  private mutating func follow(from first: ManagedObject) {
    var next: ManagedObject? = first
    while !open.isEmpty {
      if let object = next, let follower = mark(object) { open.append(follower) }
      let last = open.count - 1
      next = open[last].next(in: context, undoing: undone)
      if next == nil { open.removeLast() }
    }
  }

  /// Marks an object as deleted, unless it is; returns the iterator over its relationships.
  private func mark(_ object: ManagedObject) -> Follower? {
    guard object._state.isDisjoint(with: [.deleted, .detached, .isLeaving]) else { return nil }
    // The values are read first: where the row no longer exists, there is nothing to delete.
    _ = object.row
    guard !object._state.contains(.detached) else { return nil }
    object._state.insert(.isLeaving)
    object.prepareForDeletion()
    object._state.remove(.isLeaving)
    context.markAsDeleted(object)
    return Follower(object)
  }

  /// Iterates over the relationships of one deleted object, the to-manys first.
  private struct Follower {
    let object: ManagedObject
    private let binding: EntityBinding
    private var toMany = 0
    private var toOne = 0
    /// Members that are still to be deleted.
    private var members: ArraySlice<ManagedObject> = []
    /// The destinations of their relationships, retained until the members are deleted.
    private var ends: [ManagedObject] = []

    init(_ object: ManagedObject) {
      self.object = object
      binding = object._entity.binding
    }

    /// The next object to be deleted; nil when all relationships were followed.
    mutating func next(
      in context: ManagedObjectContext, undoing undone: ManagedObject?
    ) -> ManagedObject? {
      while true {
        if let member = members.popFirst() {
          guard object.hasMember(member, binding.toManys[toMany - 1]) else { continue }
          return member
        }
        if toMany < binding.toManys.count {
          members = object.followRule(of: binding.toManys[toMany])[...]
          ends = members.count > 1 ? context.readRules(of: members) : []
          toMany += 1
        } else if toOne < binding.toOnes.count {
          toOne += 1
          let isUndone = object === undone
          if let end = object.followRule(of: binding.toOnes[toOne - 1], isUndone: isUndone) {
            return end
          }
        } else {
          return nil
        }
      }
    }
  }
}

@available(*, unavailable) extension Deletion: Sendable {}

extension ManagedObjectContext {
  /// Prefetches the destinations that the delete rules of some objects need.
  ///
  /// Otherwise each object would read its own. The result must be retained until the objects are
  /// deleted. Errors are recorded when the objects are deleted.
  fileprivate func readRules(of objects: ArraySlice<ManagedObject>) -> [ManagedObject] {
    var ends: [ManagedObject] = []
    for objects in Dictionary(grouping: objects, by: { ObjectIdentifier($0._entity) }).values {
      for relationship in objects[0]._entity.binding.relationshipsOnDeletion {
        ends += (try? prefetch(relationship, of: objects, givesEnds: true)) ?? []
      }
    }
    return ends
  }
}

extension EntityBinding {
  /// The relationships whose destinations are read when an object is deleted.
  fileprivate var relationshipsOnDeletion: [String] {
    toManys.filter { $0.isReadOnDeletion && !$0.description.isTransient }.map(\.description.name)
      + toOnes.filter(\.isReadOnDeletion).map(\.description.name)
  }
}

extension EntityBinding.ToMany {
  /// Whether the members are read when their owner is deleted.
  ///
  /// A row in a join table is deleted with either of its ends, whatever the rule.
  fileprivate var isReadOnDeletion: Bool {
    isLinked || description.deleteRule == .cascade || description.deleteRule == .nullify
  }
}

extension EntityBinding.ToOne {
  /// Whether the destination is read when this object is deleted.
  fileprivate var isReadOnDeletion: Bool {
    switch (description.deleteRule, inverse) {
    case (.cascade, _), (.nullify, .toOne): true
    default: false
    }
  }
}

extension ManagedObject {
  /// Applies the delete rule of a to-many: removes the members, or returns those to delete.
  fileprivate func followRule(of toMany: EntityBinding.ToMany) -> [ManagedObject] {
    let rule = toMany.description.deleteRule
    guard toMany.isReadOnDeletion else { return [] }
    // The rows of members do not show whether another context or process has removed their links.
    if rule == .cascade, toMany.isLinked, !lists.toManys[toMany.number].isChanged {
      lists.toManys[toMany.number].unload()
    }
    loaded(toMany)
    let members = lists.toManys[toMany.number].members
    guard rule != .cascade else { return members }
    guard rule != .deny else { return [] }
    // A link with the object itself, which no to-one of its own holds, is removed too, so that an
    // undo restores it.
    for member in members
    where !member._state.contains(.deleted) || member === self && toMany.isLinked {
      unlink(member, toMany)
    }
    return []
  }

  /// Whether a member of a loaded list still is one in the store.
  ///
  /// If its own row disagrees, it was moved elsewhere after one of the two was read, and is
  /// refreshed. An object whose row is missing counts: there is nothing to delete.
  fileprivate func hasMember(_ member: ManagedObject, _ toMany: EntityBinding.ToMany) -> Bool {
    guard case .foreignKey(let slot) = toMany.storage, !member.isDeleted else { return true }
    if member.pointsHere(self, by: slot) || member._state.contains(.detached) { return true }
    // A row that cannot be read now counts as belonging to another owner.
    try? requiredContext.mergeStoredRows(into: [member])
    return member.pointsHere(self, by: slot) || member._state.contains(.detached)
  }

  /// Applies the delete rule of a to-one: updates the inverse, or returns the destination to
  /// delete.
  ///
  /// - Parameter isUndone: whether the insertion of this object is undone; then the destination
  ///   stays.
  fileprivate func followRule(
    of toOne: EntityBinding.ToOne, isUndone: Bool
  ) -> ManagedObject? {
    let rule = toOne.description.deleteRule
    guard row.hasValue(toOne.slot), rule != .noAction, rule != .deny else { return nil }
    let context = requiredContext
    let key = row.integer(toOne.slot)
    switch toOne.inverse {
    case .none: break
    case .toMany(let number):
      // A list that is not loaded will omit the member when it is read.
      context.registeredObject(key, of: toOne.destination)?.forget(self, in: number)
    case .toOne(let slot):
      let partner = context.object(key, at: toOne, in: row)
      // It may belong to another object by now, as after an undo; or its row was read too early.
      if !partner.pointsHere(self, by: slot),
        partner._state.isDisjoint(with: [.deleted, .detached])
      {
        try? context.mergeStoredRows(into: [partner])
      }
      guard partner.pointsHere(self, by: slot) else { return nil }
      if rule == .nullify || isUndone { partner.writeInverse(nil, slot: slot) }
    }
    return rule == .cascade && !isUndone ? context.object(key, at: toOne, in: row) : nil
  }
}
