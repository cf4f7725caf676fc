/// The members of a to-many of many owners, collected from rows in any order.
struct MemberLists {
  private struct List {
    // In the form in which a to-many keeps them, so that it can use them directly.
    var members: [ManagedObject?] = []
    var orderKeys: [Int64] = []
    var isSorted = true
  }

  /// The owners' keys without duplicates, in ascending order.
  let owners: [Int64]
  private var lists: [List]

  init(owners: [Int64]) {
    self.owners = Set(owners).sorted()
    lists = Array(repeating: List(), count: self.owners.count)
  }

  /// The index of an owner's list; nil for a key that is not an owner's.
  ///
  /// Primary keys are mostly dense, so the first guess is usually right.
  func index(of owner: Int64) -> Int? {
    guard let first = owners.first, let last = owners.last, owner >= first, owner <= last else {
      return nil
    }
    let (guess, overflow) = owner.subtractingReportingOverflow(first)
    if !overflow, guess < owners.count, owners[Int(guess)] == owner { return Int(guess) }
    var range = owners.indices
    while let start = range.first {
      let middle = start + range.count / 2
      if owners[middle] == owner { return middle }
      range = owners[middle] < owner ? middle + 1..<range.upperBound : start..<middle
    }
    return nil
  }

  /// Adds a member.
  ///
  /// - Parameter orderKey: its order key in its owner's list; members with the same one are in the
  ///   order in which they are added.
  mutating func add(_ member: ManagedObject, at index: Int, orderKey: Int64) {
    if let before = lists[index].orderKeys.last, before > orderKey { lists[index].isSorted = false }
    lists[index].members.append(member)
    lists[index].orderKeys.append(orderKey)
  }

  /// An owner's members in their order; they can be taken once.
  mutating func take(_ owner: Int64) -> [ManagedObject?] {
    guard let index = index(of: owner) else { return [] }
    var list = List()
    swap(&list, &lists[index])
    guard !list.isSorted else { return list.members }
    return list.members.indices.sorted { one, other in
      (list.orderKeys[one], one) < (list.orderKeys[other], other)
    }
    .map { list.members[$0] }
  }
}

@available(*, unavailable) extension MemberLists: Sendable {}
