/// The members of a to-many of many owners, as their rows come in whatever order.
struct MemberLists {
  private struct List {
    var members: [ManagedObject] = []
    var orderKeys: [Int64] = []
    var isSorted = true
  }

  private var places: [Int64: Int] = [:]
  private var lists: [List] = []
  /// Where the last member went: the next one often goes there too.
  private var last: (owner: Int64, place: Int) = (0, -1)

  /// Takes a member in.
  ///
  /// - Parameter orderKey: where it stands among its owner's; members with the same come as they are
  ///   added.
  mutating func add(_ member: ManagedObject, of owner: Int64, orderKey: Int64) {
    if last.place < 0 || last.owner != owner { last = (owner, place(of: owner)) }
    let place = last.place
    if let before = lists[place].orderKeys.last, before > orderKey { lists[place].isSorted = false }
    lists[place].members.append(member)
    lists[place].orderKeys.append(orderKey)
  }

  private mutating func place(of owner: Int64) -> Int {
    if let place = places[owner] { return place }
    places[owner] = lists.count
    lists.append(List())
    return lists.count - 1
  }

  /// An owner's members in their order; they are given once.
  mutating func take(_ owner: Int64) -> [ManagedObject] {
    guard let place = places.removeValue(forKey: owner) else { return [] }
    let list = lists[place]
    lists[place] = List()
    guard !list.isSorted else { return list.members }
    return list.members.indices.sorted { one, other in
      (list.orderKeys[one], one) < (list.orderKeys[other], other)
    }
    .map { list.members[$0] }
  }
}

@available(*, unavailable) extension MemberLists: Sendable {}
