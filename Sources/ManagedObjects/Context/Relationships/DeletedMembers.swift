/// The deleted members of a to-many without an inverse, which are not read, with their positions.
///
/// With an inverse, a deleted object removes itself from the lists of its owners. Without one, the
/// lists are unknown to it, and are filtered when they are read. If the deletion is undone, the
/// object is a member again.
struct DeletedMembers {
  private(set) var identities: Set<ObjectIdentifier>
  /// All members, deleted or not, in their order.
  private var order: [ManagedObject]

  init(_ members: [ManagedObject], where isDeleted: (ManagedObject) -> Bool) {
    order = members
    identities = Set(members.lazy.filter(isDeleted).map { ObjectIdentifier($0) })
  }

  /// The deleted members.
  var members: [ManagedObject] { order.filter { identities.contains(ObjectIdentifier($0)) } }

  /// Inserts the deleted members before those that they preceded.
  func inserted(into members: [ManagedObject]) -> [ManagedObject] {
    let present = Set(members.lazy.map { ObjectIdentifier($0) })
    var preceding: [ObjectIdentifier: [ManagedObject]] = [:]
    var waiting: [ManagedObject] = []
    for object in order {
      let identity = ObjectIdentifier(object)
      if present.contains(identity) {
        if !waiting.isEmpty { preceding[identity] = waiting }
        waiting = []
      } else if identities.contains(identity) {
        waiting.append(object)
      }
    }
    return members.flatMap { (preceding[ObjectIdentifier($0)] ?? []) + [$0] } + waiting
  }

  /// Removes objects that cannot be members again.
  mutating func drop(where isGone: (ManagedObject) -> Bool) {
    order.removeAll(where: isGone)
    identities.formIntersection(order.lazy.map { ObjectIdentifier($0) })
  }
}

@available(*, unavailable) extension DeletedMembers: Sendable {}

extension ManagedObject {
  /// Takes deleted members out of a list without an inverse, and puts those back whose deletion was
  /// undone.
  func separateDeletedMembers(of toMany: EntityBinding.ToMany) {
    guard case .none = toMany.inverse, let lists = _lists else { return }
    // Only an undo brings back an object whose row no longer exists.
    if requiredContext.changeRecorder?.manager.hasActions != true {
      lists.toManys[toMany.number].drop { $0._state.contains(.detached) }
    }
    lists.toManys[toMany.number].separateDeleted {
      !$0._state.isDisjoint(with: [.deleted, .detached])
    }
  }

  /// Puts a member back into a list without an inverse if its deletion was undone since the last
  /// read.
  ///
  /// O(1) for other objects.
  func recallDeleted(_ member: ManagedObject, in toMany: EntityBinding.ToMany) {
    guard let deleted = _lists?.toManys[toMany.number].deleted,
      deleted.identities.contains(ObjectIdentifier(member)), member.exists
    else { return }
    separateDeletedMembers(of: toMany)
  }
}

extension ManagedObjectContext {
  /// Adds objects, whose saved deletion is undone, to the lists without an inverse that had them.
  ///
  /// With the rows, the store has deleted the links. Lists that were not loaded then stay without
  /// them. One pass over the loaded lists.
  func rejoinListsWithoutInverse(_ objects: [ManagedObject]) {
    let identities = Set(objects.lazy.map { ObjectIdentifier($0) })
    forEachListWithoutInverse(of: objects) { owner, toMany in
      if owner.lists.toManys[toMany.number].addAgain(identities) { didUpdate(owner) }
    }
  }

  /// Calls a body with the loaded lists without an inverse that may contain some objects.
  func forEachListWithoutInverse(
    of objects: [ManagedObject], _ body: (ManagedObject, EntityBinding.ToMany) -> Void
  ) {
    guard !objects.isEmpty else { return }
    var roots: Set<Int>?
    for entity in entities {
      for toMany in entity.binding.toManys where !toMany.description.isTransient {
        guard case .none = toMany.inverse else { continue }
        let known = roots ?? Set(objects.lazy.map { $0._entity.binding.root })
        roots = known
        guard known.contains(binding(at: toMany.destination).root) else { continue }
        for owner in entity.table.objects
        where owner.exists && owner._lists?.toManys[toMany.number].isLoaded == true {
          body(owner, toMany)
        }
      }
    }
  }
}
