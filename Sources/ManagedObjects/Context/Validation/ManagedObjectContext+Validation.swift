extension ManagedObjectContext {
  /// Validates every object that is to be saved, and throws all failures.
  func validate(
    inserted: [ManagedObject], updated: [ManagedObject], deleted: [ManagedObject]
  ) throws {
    var found = CollectedFailures()
    for object in inserted { found.collect(from: object) { try object.validateForInsert() } }
    for object in updated { found.collect(from: object) { try object.validateForUpdate() } }
    for object in deleted { found.collect(from: object) { try object.validateForDelete() } }
    checkUnreadOwners(of: [inserted, updated, deleted], into: &found)
    checkListsWithoutInverse(of: deleted, into: &found)
    try found.throwIfAny()
  }

  /// Checks the lists whose members have changed only because the members' own to-ones did.
  ///
  /// A list that is not loaded does not record members that are moved elsewhere or deleted.
  private func checkUnreadOwners(
    of groups: [[ManagedObject]], into found: inout CollectedFailures
  ) {
    var seen: Set<OwnedList> = []
    // Objects of one entity are mostly adjacent.
    var entity: ContextEntity?
    var toOnes: [EntityBinding.ToOne] = []
    for member in groups.joined() {
      if member._entity !== entity {
        entity = member._entity
        toOnes = member._entity.rules.countedFrom
      }
      for toOne in toOnes {
        guard case .toMany(let number) = toOne.inverse else { continue }
        for owner in owners(of: member, by: toOne) {
          guard owner._state.isDisjoint(with: [.inserted, .deleted, .detached]),
            owner._lists?.toManys[number].isChanged != true,
            seen.insert(OwnedList(owner: owner, number: number)).inserted
          else { continue }
          found.collect(from: owner) {
            var failures: [ValidationError.Failure] = []
            owner.checkCount(of: owner._entity.binding.toManys[number], into: &failures)
            if !failures.isEmpty { throw ValidationError(failures: failures) }
          }
        }
      }
    }
  }

  /// Checks the loaded lists of which a member is deleted that does not know of them.
  private func checkListsWithoutInverse(
    of deleted: [ManagedObject], into found: inout CollectedFailures
  ) {
    var lists: [(owner: ManagedObject, toMany: EntityBinding.ToMany)] = []
    forEachListWithoutInverse(of: deleted) { owner, toMany in
      guard !owner._state.contains(.inserted),
        owner._lists?.toManys[toMany.number].isChanged != true
      else { return }
      owner.separateDeletedMembers(of: toMany)
      if owner.lists.toManys[toMany.number].deleted != nil { lists.append((owner, toMany)) }
    }
    for (owner, toMany) in lists {
      found.collect(from: owner) {
        var failures: [ValidationError.Failure] = []
        owner.checkCount(of: toMany, into: &failures)
        if !failures.isEmpty { throw ValidationError(failures: failures) }
      }
    }
  }

  /// The owners of the lists that a member has left and joined since the last save.
  private func owners(
    of member: ManagedObject, by toOne: EntityBinding.ToOne
  ) -> [ManagedObject] {
    let (before, now) = (member._side?.snapshot, member.row)
    func owner(_ row: PackedRow) -> ManagedObject? {
      row.hasValue(toOne.slot) ? object(row.integer(toOne.slot), at: toOne, in: row) : nil
    }
    if member.isDeleted { return [owner(before ?? now)].compactMap { $0 } }
    if member.isInserted { return [owner(now)].compactMap { $0 } }
    guard let before, !before.isEqual(toOne.slot, to: now, isTail: false) else { return [] }
    return [owner(before), owner(now)].compactMap { $0 }
  }

  /// One to-many of one object.
  private struct OwnedList: Hashable {
    let owner: ManagedObject
    let number: Int
  }
}
