import DataModel

/// The request that a save sends to a store: rows, lists and links that have changed.
extension ManagedObjectContext {
  func request(
    inserted: [ManagedObject], updated: [ManagedObject],
    deleted: [ManagedObject], in store: PersistentStoreIdentity? = nil
  ) -> SaveRequest {
    var request = SaveRequest()
    request.origin = transactionOrigin
    request.inserts.reserveCapacity(inserted.count)
    for object in inserted {
      request.inserts.append(
        SaveRequest.Insert(
          entity: object._entity.binding, temporaryKey: object._key, row: object.row,
          lookUp: object._state.contains(.findsOrCreates) ? object.side.lookUp : nil))
    }
    for object in updated {
      if let snapshot = object._side?.snapshot {
        request.updates.append(
          SaveRequest.Update(
            entity: object._entity.binding, key: object._key, row: object.row, snapshot: snapshot))
      } else if object.hasChangesToSave {
        // Only its lists have changed: the row must still exist if members are added.
        request.checks.append(
          SaveRequest.Check(entity: object._entity.binding, key: object._key, version: nil))
      }
    }
    var rows = WrittenRows(inserted: inserted, updated: updated)
    for object in inserted { appendLists(of: object, &rows, to: &request) }
    for object in updated { appendLists(of: object, &rows, to: &request) }
    for object in deleted {
      let row = object._side?.snapshot ?? object.row
      request.deletes.append(
        SaveRequest.Delete(
          entity: object._entity.binding, key: object._key,
          version: row.version == 0 ? nil : row.version))
      appendLinks(ofDeleted: object, to: &request)
    }
    for check in conflictChecks ?? [] {
      let object = check.object
      // With several stores, each has a request of its own.
      guard store == nil || store === object._entity.binding.store else { continue }
      // A deletion checks the lock count itself.
      if object.isDeleted, !object.isDeletedExternally, object.row.version == check.version {
        continue
      }
      request.checks.append(
        SaveRequest.Check(
          entity: object._entity.binding, key: object._key, version: check.version))
    }
    return request
  }

  /// Adds the changes of an object's to-many relationships to the request.
  private func appendLists(
    of owner: ManagedObject, _ rows: inout WrittenRows, to request: inout SaveRequest
  ) {
    guard let lists = owner._lists else { return }
    for toMany in owner._entity.binding.toManys where lists.toManys[toMany.number].isChanged {
      switch toMany.storage {
      case .foreignKey(let slot):
        let entity = binding(at: toMany.destination)
        guard toMany.description.isOrdered, !toMany.description.isTransient,
          let toOne = entity.toOnesBySlot[slot]
        else { continue }
        appendList(of: owner, toMany, by: toOne, of: entity, &rows, to: &request)
      case .join(let end):
        appendLinks(of: owner, toMany, end, to: &request)
      case .memory: continue
      }
    }
  }

  /// Adds the links of a deleted object that were removed before, or followed by a cascade.
  ///
  /// The remaining links are deleted with the object, or deny its deletion.
  private func appendLinks(ofDeleted owner: ManagedObject, to request: inout SaveRequest) {
    guard let lists = owner._lists else { return }
    for toMany in owner._entity.binding.toManys where toMany.bindsMembers {
      guard case .join(let end) = toMany.storage else { continue }
      var list = lists.toManys[toMany.number]
      for member in list.changes.removed + (list.deleted?.members ?? []) {
        request.removedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
      }
      // Where a relationship is its own inverse, a link may be stored in either direction.
      let isOwnInverse =
        toMany.description.inverseName == toMany.description.name
        && binding(at: toMany.destination).root == owner._entity.binding.root
      guard toMany.description.deleteRule == .cascade, list.isLoaded, !isOwnInverse else {
        continue
      }
      let added = Set(list.changes.added)
      for member in list.members where member.isDeleted && !added.contains(member) {
        request.followedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
      }
    }
  }

  private func appendList(
    of owner: ManagedObject, _ toMany: EntityBinding.ToMany, by toOne: EntityBinding.ToOne,
    of entity: EntityBinding, _ rows: inout WrittenRows, to request: inout SaveRequest
  ) {
    guard let orderKeySlot = toOne.orderKeySlot else { return }
    let lists = owner.lists
    let isWhole = lists.toManys[toMany.number].isRearranged
    var members: ContiguousArray<SaveRequest.Member> = []
    for member in lists.toManys[toMany.number].entries.reversed() {
      guard let member else { continue }
      // Members at the end without an order key were added since the last save.
      if !isWhole, !member.isWritten || member.keepsOrderKey(toOne.slot, orderKeySlot) { break }
      members.append(SaveRequest.Member(key: member._key, written: rows.row(of: member)))
    }
    members.reverse()
    guard !members.isEmpty else { return }
    request.lists.append(
      SaveRequest.OrderedList(
        storage: .foreignKey(toOne, entity), owner: owner._key, members: members,
        isWhole: isWhole))
  }

  private func appendLinks(
    of owner: ManagedObject, _ toMany: EntityBinding.ToMany, _ end: EntityBinding.JoinEnd,
    to request: inout SaveRequest
  ) {
    let lists = owner.lists
    owner.separateDeletedMembers(of: toMany)
    let changes = lists.toManys[toMany.number].changes
    // A relationship without an inverse still has members that this save deletes.
    for member in changes.added where !member._state.contains(.deleted) {
      request.addedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
    }
    for member in changes.removed where !member._state.contains(.deleted) {
      request.removedLinks.insert(SaveRequest.Link(end, from: owner, to: member))
    }
    guard end.isOrdered else { return }
    // A member that was removed and added again keeps its link, and with it an order key that does
    // not match its new index.
    let isWhole = lists.toManys[toMany.number].isReordered
    let members = (isWhole ? lists.toManys[toMany.number].members : changes.added).filter {
      !$0._state.contains(.deleted)
    }
    guard !members.isEmpty else { return }
    request.lists.append(
      SaveRequest.OrderedList(
        storage: .join(end), owner: owner._key,
        members: ContiguousArray(
          members.map { SaveRequest.Member(key: $0._key, written: nil) }),
        isWhole: isWhole))
  }
}

extension SaveRequest.Link {
  fileprivate init(
    _ end: EntityBinding.JoinEnd, from owner: ManagedObject, to member: ManagedObject
  ) {
    self.init(
      join: end.join, first: end.isFirst ? owner._key : member._key,
      second: end.isFirst ? member._key : owner._key)
  }
}
