/// The steps by which a list changes, and the way back.
///
/// A step names members, not indices: those shift with holes, with what was read and with what came
/// from elsewhere.
extension ToManyMembers {
  /// One change of a list.
  enum Step {
    case added(ManagedObject)
    case removed(ManagedObject, beside: Neighbour)
    /// Noted as no member any more, of a list that was not read.
    case forgotten(ManagedObject)
    /// Put into another order; this was the old one, with holes.
    case arranged([ManagedObject?])

    /// The member that came or went; nil for a new order.
    var member: ManagedObject? {
      switch self {
      case .added(let member), .removed(let member, _), .forgotten(let member): member
      case .arranged: nil
      }
    }
  }

  /// Where a member stands.
  enum Neighbour {
    case before(ManagedObject)
    case after(ManagedObject)
    /// Beside nobody: it is the only one.
    case nobody
  }

  /// The member beside one, or nil where it is none itself.
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

  /// Puts an object beside a member; false where it is one already.
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

  /// Whether the member is here that another stood beside.
  func has(_ neighbour: Neighbour) -> Bool {
    switch neighbour {
    case .before(let member), .after(let member): find(member) != nil
    case .nobody: false
    }
  }

  /// Undoes a step that was the last.
  mutating func takeBack(_ step: Step) {
    switch step {
    case .added(let member): remove(member)
    case .removed(let member, let neighbour): _ = put(member, beside: neighbour)
    case .forgotten(let member): recall(member)
    case .arranged(let old): rearrange(ordered(as: old))
    }
  }

  /// Whether the members are these, holes left out, in the same order.
  func isSame(as others: [ManagedObject?]) -> Bool {
    entries.lazy.compactMap { $0 }.elementsEqual(others.lazy.compactMap { $0 }, by: ===)
  }

  /// The members as they stood in an older order, with those that came later behind them.
  mutating func ordered(as old: [ManagedObject?]) -> [ManagedObject] {
    let members = members
    var waiting = Set(members.map { ObjectIdentifier($0) })
    let known = old.compactMap { $0 }.filter { waiting.remove(ObjectIdentifier($0)) != nil }
    return known + members.filter { waiting.contains(ObjectIdentifier($0)) }
  }

  /// Where a stored member belongs that a change had hidden when the list was read.
  ///
  /// - Parameter formerKey: the order key that it had, where it has none now.
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

  /// Whether a member, if it stands last, has its stored order key behind that of the one before
  /// it.
  func lastKeepsOrderKey(_ member: ManagedObject, _ orderKeySlot: Int) -> Bool {
    guard let key = member.orderKey(orderKeySlot), entries.last.map({ $0 === member }) == true,
      let previous = entries.dropLast().last(where: { $0 != nil }) ?? nil
    else { return true }
    return previous.orderKey(orderKeySlot).map { $0 < key } ?? false
  }

  private var first: ManagedObject? { entries.first { $0 != nil } ?? nil }

  /// Is the list of an object that has no row any more and is to be inserted once more.
  mutating func becomeNew() {
    isLoaded = true
    startAnew()
  }

  /// Has no changes any more where the members are those of the last save; gives whether it is so.
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
  /// The order key in a slot; nil where there is none, or the object is a fault.
  func orderKey(_ slot: Int) -> Int64? {
    guard let _slots else { return nil }
    let row = PackedRow(slots: _slots)
    return row.hasValue(slot) ? row.integer(slot) : nil
  }
}
