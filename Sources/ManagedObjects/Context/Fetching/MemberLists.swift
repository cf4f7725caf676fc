/// The members of a to-many of many owners, as their rows come in whatever order.
struct MemberLists {
  private struct List {
    // As a to-many keeps them, which takes them over as they are.
    var members: [ManagedObject?] = []
    var orderKeys: [Int64] = []
    var isSorted = true
  }

  /// The owners' keys, each once, the smallest first.
  let owners: [Int64]
  private var lists: [List]

  init(owners: [Int64]) {
    self.owners = Set(owners).sorted()
    lists = Array(repeating: List(), count: self.owners.count)
  }

  /// Where an owner's list is; nil for a key that is none of the owners'.
  ///
  /// Primary keys are mostly dense, so the first guess is good.
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

  /// Takes a member in.
  ///
  /// - Parameter orderKey: where it stands among its owner's; members with the same come as they
  ///   are added.
  mutating func add(_ member: ManagedObject, at index: Int, orderKey: Int64) {
    if let before = lists[index].orderKeys.last, before > orderKey { lists[index].isSorted = false }
    lists[index].members.append(member)
    lists[index].orderKeys.append(orderKey)
  }

  /// An owner's members in their order; they are given once.
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
