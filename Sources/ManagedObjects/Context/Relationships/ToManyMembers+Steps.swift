/// The steps by which a list changes, and their reversal.
///
/// A step refers to members, not indices, since indices shift with holes, loading, and changes made
/// elsewhere.
extension ToManyMembers {
  /// One change of a list.
  enum Step {
    case added(ManagedObject)
    case removed(ManagedObject, beside: Neighbour)
    /// A member was removed from a list that was not loaded.
    case forgotten(ManagedObject)
    /// The members were rearranged; with their former order, including holes.
    case arranged([ManagedObject?])

    /// The member that was added or removed; nil for a new order.
    var member: ManagedObject? {
      switch self {
      case .added(let member), .removed(let member, _), .forgotten(let member): member
      case .arranged: nil
      }
    }

    /// The member that a removed one was next to.
    var neighbour: ManagedObject? {
      guard case .removed(_, .before(let member)) = self else {
        guard case .removed(_, .after(let member)) = self else { return nil }
        return member
      }
      return member
    }
  }

  /// The position of a member, relative to an adjacent one.
  enum Neighbour {
    case before(ManagedObject)
    case after(ManagedObject)
    /// The member is the only one.
    case nobody
  }

  /// The member next to an object, or nil if the object is not a member itself.
  mutating func neighbour(of member: ManagedObject) -> Neighbour? {
    guard let index = index(of: member) else { return nil }
    var distance = 1
    while index - distance >= 0 || index + distance < entries.count {
      if index + distance < entries.count, let next = entries[index + distance] {
        return .before(next)
      }
      if index - distance >= 0, let previous = entries[index - distance] {
        return .after(previous)
      }
      distance += 1
    }
    return .nobody
  }

  /// Inserts an object next to a member; false if the object is a member already.
  ///
  /// O(1) where a hole was left, or at the end.
  mutating func put(_ object: ManagedObject, beside neighbour: Neighbour) -> Bool {
    guard find(object) == nil else { return false }
    let index: Int
    switch neighbour {
    case .before(let next):
      guard let found = find(next) else { break }
      if found > 0, entries[found - 1] == nil {
        fill(found - 1, with: object)
      } else {
        insertEntry(object, at: found)
      }
      return true
    case .after(let previous):
      guard let found = find(previous) else { break }
      index = found + 1
      if index < entries.count, entries[index] == nil {
        fill(index, with: object)
      } else if index < entries.count {
        insertEntry(object, at: index)
      } else {
        append(object)
      }
      return true
    case .nobody: break
    }
    append(object)
    return true
  }

  /// Whether the adjacent member is in the list.
  func has(_ neighbour: Neighbour) -> Bool {
    switch neighbour {
    case .before(let member), .after(let member): find(member) != nil
    case .nobody: false
    }
  }

  /// Undoes the last step.
  mutating func takeBack(_ step: Step) {
    switch step {
    case .added(let member): remove(member)
    case .removed(let member, let neighbour): _ = put(member, beside: neighbour)
    case .forgotten(let member): recall(member)
    case .arranged(let old): rearrange(ordered(as: old))
    }
  }

  /// Whether the members, without holes, are the same in the same order.
  func isSame(as others: [ManagedObject?]) -> Bool {
    entries.lazy.compactMap { $0 }.elementsEqual(others.lazy.compactMap { $0 }, by: ===)
  }

  /// The members in an earlier order, followed by those that were added since.
  mutating func ordered(as old: [ManagedObject?]) -> [ManagedObject] {
    let members = members
    var waiting = Set(members.map { ObjectIdentifier($0) })
    let known = old.compactMap { $0 }.filter { waiting.remove(ObjectIdentifier($0)) != nil }
    return known + members.filter { waiting.contains(ObjectIdentifier($0)) }
  }

  /// The position of a stored member that was hidden by a change when the list was loaded.
  ///
  /// - Parameter formerKey: its former order key, if it has none now.
  func storedNeighbours(
    of member: ManagedObject, orderKeySlot: Int?, orElse formerKey: Int64?
  ) -> Neighbour {
    if let stored = original, let found = stored.firstIndex(where: { $0 === member }) {
      for case let previous? in stored[..<found].reversed() where find(previous) != nil {
        return .after(previous)
      }
      return first.map { .before($0) } ?? .nobody
    }
    guard let slot = orderKeySlot, let key = member.orderKey(slot) ?? formerKey else {
      return .nobody
    }
    var previous: ManagedObject?
    for case let other? in entries {
      guard let orderKey = other.orderKey(slot) else { continue }
      if orderKey > key { return .before(other) }
      previous = other
    }
    return (previous.map { .after($0) } ?? first.map { .before($0) }) ?? .nobody
  }

  /// Whether a member at the end of the list has a greater stored order key than the one before it.
  func lastKeepsOrderKey(_ member: ManagedObject, _ orderKeySlot: Int) -> Bool {
    guard let key = member.orderKey(orderKeySlot), entries.last.map({ $0 === member }) == true,
      let previous = entries.dropLast().last(where: { $0 != nil }) ?? nil
    else { return true }
    return previous.orderKey(orderKeySlot).map { $0 < key } ?? false
  }

  private var first: ManagedObject? { entries.first { $0 != nil } ?? nil }

  /// Marks the list as that of an object whose row was deleted and is to be inserted again.
  mutating func becomeNew() {
    isLoaded = true
    startAnew()
  }

  /// Clears the changes if the members are those of the last save; returns whether they are.
  mutating func noteIfUnchanged() -> Bool {
    guard isLoaded else {
      if count == 0, removed.isEmpty { isChanged = false }
      return !isChanged
    }
    guard let original, isSame(as: original) else { return false }
    markAsStored()
    return true
  }
}

extension ManagedObject {
  /// The order key in a slot; nil if there is none, or the object is a fault.
  func orderKey(_ slot: Int) -> Int64? {
    guard let _slots else { return nil }
    let row = PackedRow(slots: _slots)
    return row.hasValue(slot) ? row.integer(slot) : nil
  }
}
