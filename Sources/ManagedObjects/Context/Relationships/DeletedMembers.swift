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
    if requiredContext.changeRecorder == nil {
      lists.toManys[toMany.number].drop { $0._state.contains(.detached) }
    }
    lists.toManys[toMany.number].separateDeleted {
      !$0._state.isDisjoint(with: [.deleted, .detached])
    }
  }

  /// Adds this object, whose saved deletion is undone, to the lists without an inverse that had it.
  ///
  /// With the row, the store has deleted the links. Lists that were not loaded then stay without
  /// them.
  func rejoinListsWithoutInverse() {
    let context = requiredContext
    for entity in context.entities {
      let toManys = entity.binding.toManys.filter { toMany in
        guard case .none = toMany.inverse, !toMany.description.isTransient else { return false }
        return context.binding(at: toMany.destination).root == _entity.binding.root
      }
      guard !toManys.isEmpty else { continue }
      for owner in entity.table.objects {
        guard let lists = owner._lists, owner._state.isDisjoint(with: [.deleted, .detached]) else {
          continue
        }
        for toMany in toManys where lists.toManys[toMany.number].addAgain(self) {
          context.didUpdate(owner)
        }
      }
    }
  }
}
