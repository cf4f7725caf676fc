/// The only functions that change the known members of a to-many: each change may have to be
/// undone.
///
/// They change one side only; `link`, `unlink` and `setToOne` update both.
extension ManagedObject {
  /// Adds a member at an index, or at the end.
  func addMember(_ member: ManagedObject, to number: Int, at index: Int? = nil) {
    if let index {
      lists.toManys[number].insert(member, at: index)
    } else {
      lists.toManys[number].append(member)
    }
    didStep(.added(member), in: number)
  }

  /// Removes a member; false if it is not known to be one.
  @discardableResult
  func removeMember(_ member: ManagedObject, from number: Int) -> Bool {
    guard let lists = _lists else { return false }
    let context = requiredContext
    guard context.changeRecorder != nil || context.eventValues != nil else {
      return lists.toManys[number].remove(member)
    }
    guard let neighbour = lists.toManys[number].neighbour(of: member),
      lists.toManys[number].remove(member)
    else { return false }
    didStep(.removed(member, beside: neighbour), in: number)
    return true
  }

  /// Records a new member, whether the members are loaded or not.
  func rememberMember(_ member: ManagedObject, in number: Int) {
    lists.toManys[number].remember(member)
    didStep(.added(member), in: number)
  }

  /// Records that an object is no longer a member, whether the members are loaded or not.
  ///
  /// For relationships that are not stored in the member's own row.
  func forgetMember(_ member: ManagedObject, in number: Int) {
    let wasKnown = removeMember(member, from: number)
    guard !lists.toManys[number].isLoaded,
      !wasKnown || lists.toManys[number].recalled.contains(where: { $0 === member })
    else { return }
    lists.toManys[number].forget(member)
    didStep(.forgotten(member), in: number)
  }

  /// Rearranges the members.
  func arrangeMembers(_ members: [ManagedObject], in number: Int) {
    let before = lists.toManys[number].entries
    lists.toManys[number].rearrange(members)
    didStep(.arranged(before), in: number)
  }

  /// Whether the object's row or the members of one of its to-manys have changed.
  ///
  /// An object that has lost members which are not loaded is updated, but has nothing to save.
  var hasChangesToSave: Bool {
    _side?.snapshot != nil || _lists?.toManys.contains { $0.isChanged } ?? false
  }

  private func didStep(_ step: ToManyMembers.Step, in number: Int) {
    let context = requiredContext
    context.changeRecorder?.didStep(step, in: number, of: self)
    context.eventValues?.didStep(step, in: number, of: self)
  }
}

// MARK: Undoing

extension ManagedObject {
  /// Inserts a member next to its former neighbour, or where the store has it if that is no member.
  ///
  /// - Parameter orderKey: its order key, if the store has another one.
  func putMember(
    _ member: ManagedObject, beside neighbour: ToManyMembers.Neighbour? = nil,
    orderKey: Int64? = nil, in toMany: EntityBinding.ToMany
  ) {
    let number = toMany.number
    var orderKeySlot: Int?
    if case .foreignKey(let slot) = toMany.storage {
      let entity = requiredContext.binding(at: toMany.destination)
      orderKeySlot = entity.toOnesBySlot[slot]?.orderKeySlot
    }
    let known = neighbour.flatMap { lists.toManys[number].has($0) ? $0 : nil }
    let neighbours =
      known
      ?? lists.toManys[number].storedNeighbours(
        of: member, orderKeySlot: orderKeySlot, orElse: orderKey)
    guard lists.toManys[number].put(member, beside: neighbours) else { return }
    didStep(.added(member), in: number)
    requiredContext.didUpdate(self)
    if let orderKeySlot, !lists.toManys[number].lastKeepsOrderKey(member, orderKeySlot) {
      lists.toManys[number].isRearranged = true
    }
  }

  /// Restores the members that a to-many had before an event.
  func takeBack(_ list: UndoEvent.List) {
    guard !_state.contains(.detached) else { return }
    let toMany = _entity.binding.toManys[list.number]
    if let whole = list.whole { bringBack(whole, in: toMany) }
    var placeholders: [ManagedObject] = []
    for step in list.steps.reversed() { takeBack(step, in: toMany, &placeholders) }
    for placeholder in placeholders { removeMember(placeholder, from: list.number) }
    // So that the members are compared with the stored ones in the end.
    if !placeholders.isEmpty { requiredContext.didUpdate(self) }
  }

  /// - Parameter placeholders: objects that are put into the list without being members are added
  ///   to these. Members were next to them, and could not be inserted at their former positions
  ///   without them.
  private func takeBack(
    _ step: ToManyMembers.Step, in toMany: EntityBinding.ToMany,
    _ placeholders: inout [ManagedObject]
  ) {
    let number = toMany.number
    if let member = step.member { recallDeleted(member, in: toMany) }
    if let neighbour = step.neighbour { recallDeleted(neighbour, in: toMany) }
    switch step {
    case .added(let member):
      if case .foreignKey = toMany.storage {
        removeMember(member, from: number)
      } else {
        forgetMember(member, in: number)
      }
    case .removed(let member, let neighbour):
      var isMember = member._state.isDisjoint(with: [.detached, .deleted])
      // It was inserted within the event, or its to-one was changed elsewhere since.
      if case .foreignKey(let slot) = toMany.storage, isMember {
        isMember = member.pointsHere(self, by: slot)
      }
      guard isMember else {
        guard lists.toManys[number].isLoaded,
          lists.toManys[number].put(member, beside: neighbour)
        else { return }
        didStep(.added(member), in: number)
        return placeholders.append(member)
      }
      // In a list that is not loaded, only members added since have neighbours.
      if !lists.toManys[number].isLoaded, !lists.toManys[number].has(neighbour) { loaded(toMany) }
      return putMember(member, beside: neighbour, in: toMany)
    case .forgotten(let member):
      if !member._state.isDisjoint(with: [.detached, .deleted]) { return }
      if lists.toManys[number].isLoaded { return putMember(member, in: toMany) }
      if !lists.toManys[number].recall(member) { lists.toManys[number].append(member) }
      didStep(.added(member), in: number)
    case .arranged(let old):
      loaded(toMany)
      arrangeMembers(lists.toManys[number].ordered(as: old), in: number)
    }
    requiredContext.didUpdate(self)
  }

  /// Rebuilds a list, with members that were added elsewhere since at its end.
  private func bringBack(_ old: [ManagedObject?], in toMany: EntityBinding.ToMany) {
    loaded(toMany)
    guard case .foreignKey(let slot) = toMany.storage else { return }
    requiredContext.changeRecorder?.willReplace(toMany.number, of: self)
    let members = old.compactMap { $0 }.filter { $0.pointsHere(self, by: slot) }
    let known = Set(members.map { ObjectIdentifier($0) })
    let others = lists.toManys[toMany.number].members.filter {
      !known.contains(ObjectIdentifier($0)) && $0.pointsHere(self, by: slot)
    }
    lists.toManys[toMany.number].rearrange(members + others)
    requiredContext.didUpdate(self)
  }

  func pointsHere(_ owner: ManagedObject, by slot: Int) -> Bool {
    guard _state.isDisjoint(with: [.detached, .deleted]) else { return false }
    let row = row
    return row.hasValue(slot) && row.integer(slot) == owner._key
  }
}
