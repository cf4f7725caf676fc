import DataModel

/// One deletion on its way along the delete rules.
///
/// Depth first, as if each object deleted those at its other ends itself; those whose turn it is
/// wait in a list, so that no depth is too much for the stack.
struct Deletion {
  private let context: ManagedObjectContext
  /// The objects whose relationships are being followed, the latest last.
  private var open: [Follower] = []

  init(in context: ManagedObjectContext) { self.context = context }

  /// Deletes an object and all that its delete rules reach.
  mutating func delete(_ object: ManagedObject) {
    guard var first = mark(object), let next = first.next(in: context) else { return }
    open = [first]
    follow(from: next)
  }

  /// Follows the delete rule of a to-many of an object that is deleted already, for the members
  /// that its list has now.
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
      next = open[last].next(in: context)
      if next == nil { open.removeLast() }
    }
  }

  /// Marks one object as deleted, unless it is; gives what follows its relationships.
  private func mark(_ object: ManagedObject) -> Follower? {
    guard object._state.isDisjoint(with: [.deleted, .gone, .isLeaving]) else { return nil }
    // The values are read first: where nothing can be read any more, nothing is left to delete.
    _ = object.row
    guard !object._state.contains(.gone) else { return nil }
    object._state.insert(.isLeaving)
    object.prepareForDeletion()
    object._state.remove(.isLeaving)
    context.markAsDeleted(object)
    return Follower(object)
  }

  /// Follows the relationships of one deleted object, the to-manys first.
  private struct Follower {
    let object: ManagedObject
    private let binding: EntityBinding
    private var toMany = 0
    private var toOne = 0
    /// Members that are still to be deleted.
    private var members: ArraySlice<ManagedObject> = []
    /// What they lead to, kept until they are.
    private var ends: [ManagedObject] = []

    init(_ object: ManagedObject) {
      self.object = object
      binding = object._entity.binding
    }

    /// The next object to be deleted; nil when all relationships were followed.
    mutating func next(in context: ManagedObjectContext) -> ManagedObject? {
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
          if let end = object.followRule(of: binding.toOnes[toOne - 1]) { return end }
        } else {
          return nil
        }
      }
    }
  }
}

@available(*, unavailable) extension Deletion: Sendable {}

extension ManagedObjectContext {
  /// Reads at once what the delete rules of some objects lead to, which each would otherwise ask
  /// for itself; gives what has to be kept until they are deleted.
  ///
  /// What cannot be read is noted when they are.
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
  /// The relationships whose other ends are read when an object is deleted.
  fileprivate var relationshipsOnDeletion: [String] {
    toManys.filter { $0.isReadOnDeletion && !$0.description.isTransient }.map(\.description.name)
      + toOnes.filter(\.isReadOnDeletion).map(\.description.name)
  }
}

extension EntityBinding.ToMany {
  /// Whether the members are read when their owner is deleted.
  ///
  /// A link of its own goes with either of its ends, whatever the rule.
  fileprivate var isReadOnDeletion: Bool {
    isLinked || description.deleteRule == .cascade || description.deleteRule == .nullify
  }
}

extension EntityBinding.ToOne {
  /// Whether the object at the other end is read when this one is deleted.
  fileprivate var isReadOnDeletion: Bool {
    switch (description.deleteRule, inverse) {
    case (.cascade, _), (.nullify, .toOne): true
    default: false
    }
  }
}

extension ManagedObject {
  /// Has the members of a to-many forget this object, which is deleted, or gives those to go with
  /// it.
  fileprivate func followRule(of toMany: EntityBinding.ToMany) -> [ManagedObject] {
    let rule = toMany.description.deleteRule
    guard toMany.isReadOnDeletion else { return [] }
    // Rows of members don't tell whether others have taken their link out.
    if rule == .cascade, toMany.isLinked, !lists.toManys[toMany.number].isChanged {
      lists.toManys[toMany.number].unload()
    }
    loaded(toMany)
    let members = lists.toManys[toMany.number].members
    guard rule != .cascade else { return members }
    guard rule != .deny else { return [] }
    for member in members where !member._state.contains(.deleted) { unlink(member, toMany) }
    return []
  }

  /// Whether a member of a loaded list is one of the store's too.
  ///
  /// Where its own row says otherwise, others moved it after one of the two was read, and it is
  /// read anew. An object that is gone counts: there is nothing to delete.
  fileprivate func hasMember(_ member: ManagedObject, _ toMany: EntityBinding.ToMany) -> Bool {
    guard case .foreignKey(let slot) = toMany.storage, !member.isDeleted else { return true }
    if member.pointsHere(self, by: slot) || member._state.contains(.gone) { return true }
    // A row that cannot be read now leads elsewhere, as far as is known.
    try? requiredContext.mergeStoredRows(into: [member])
    return member.pointsHere(self, by: slot) || member._state.contains(.gone)
  }

  /// Has the object at the other end of a to-one forget this one, which is deleted, or gives it
  /// where it is to go too.
  fileprivate func followRule(of toOne: EntityBinding.ToOne) -> ManagedObject? {
    let rule = toOne.description.deleteRule
    guard row.hasValue(toOne.slot), rule != .noAction, rule != .deny else { return nil }
    let context = requiredContext
    let key = row.integer(toOne.slot)
    switch toOne.inverse {
    case .none: break
    case .toMany(let number):
      // A list that was not read drops the member when it is read.
      context.registeredObject(key, of: toOne.destination)?.forget(self, in: number)
    case .toOne(let slot):
      let partner = context.object(key, at: toOne, in: row)
      if rule == .nullify { partner.writeInverse(nil, slot: slot) }
    }
    return rule == .cascade ? context.object(key, at: toOne, in: row) : nil
  }
}
