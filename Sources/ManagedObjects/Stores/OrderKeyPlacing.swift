/// Assigns order keys to the members of an ordered to-many, with Core Data's spacing.
///
/// The first member gets 2048, and each appended one 1024 more than the last; members inserted
/// between two keys are spaced evenly between them; if there is no room, the whole list is
/// renumbered. Works on the list as it is in the transaction, so that members which another context
/// or process has added are kept.
struct OrderKeyPlacing {
  let storage: any OrderedListStorage
  /// The slot of the order keys in the members' rows; nil if they are stored in the join table.
  let slot: Int?
  /// All members in order, or only those to append; their keys are permanent.
  let members: ContiguousArray<SaveRequest.Member>
  /// The members that are removed from the list in the same save.
  let leaving: Set<Int64>

  static let first: Int64 = 2048
  static let step: Int64 = 1024

  // MARK: Appending

  /// Appends the members after all stored ones; takes one index look-up.
  ///
  /// Returns false, having done nothing, if no higher order keys are left.
  func append(_ result: inout SaveResult) throws -> Bool {
    var key = try storage.lastOrderKey() ?? Self.first - Self.step
    guard key <= Int64.max - Int64(members.count) * Self.step else { return false }
    for member in members {
      key += Self.step
      try give(key, to: member, version: 0, &result)
    }
    return true
  }

  private func give(
    _ key: Int64, to member: SaveRequest.Member, version: UInt32, _ result: inout SaveResult
  ) throws {
    if let written = member.written, let slot {
      result.orderKeys[written, slot] = key
    } else if let move = try storage.write(key, to: member.key, version: version) {
      result.moves.append(move)
    }
  }

  // MARK: Arranging

  /// A member of the new list.
  private struct Entry {
    let member: SaveRequest.Member
    /// The stored order key; nil for a member that is new to the list.
    let stored: Int64?
    let version: UInt32
  }

  /// Puts the members into their order; only those out of order get new keys.
  func arrange(_ result: inout SaveResult) throws {
    let entries = try merged()
    var keys = entries.map(\.stored)
    for index in Self.outOfOrder(keys) { keys[index] = nil }
    if !Self.fill(&keys) {
      keys = keys.indices.map { Self.first + Int64($0) * Self.step }
    }
    for (entry, key) in zip(entries, keys) {
      guard let key, key != entry.stored || entry.member.written != nil else { continue }
      try give(key, to: entry.member, version: entry.version, &result)
    }
  }

  /// The new order, including members added concurrently, each after its stored predecessor, and
  /// without members removed concurrently.
  ///
  /// Members appended concurrently stay at the end, followed by those that this save appends: so
  /// they keep their keys, and the context that appended them meets no conflict.
  private func merged() throws -> [Entry] {
    let storedMembers = try storage.storedMembers()
    // A damaged index can return a member twice.
    let stored = Dictionary(
      storedMembers.map { ($0.key, $0) }, uniquingKeysWith: { one, _ in one })
    let wanted = Set(members.map(\.key))
    let keys = storedMembers.map(\.key).filter { !leaving.contains($0) }
    let appended = keys.count - (keys.lastIndex { wanted.contains($0) } ?? -1) - 1
    var behind: [Int64?: [Int64]] = [:]
    var previous: Int64?
    for key in keys.dropLast(appended) {
      if wanted.contains(key) { previous = key } else { behind[previous, default: []].append(key) }
    }
    func entry(_ member: SaveRequest.Member) -> Entry {
      let found = stored[member.key]
      return Entry(member: member, stored: found?.orderKey, version: found?.version ?? 0)
    }
    func others(behind key: Int64?) -> [Entry] {
      (behind[key] ?? []).map { entry(SaveRequest.Member(key: $0, written: nil)) }
    }
    let kept = members.filter { stored[$0.key] != nil || $0.written != nil }
    let known = (kept.lastIndex { stored[$0.key] != nil } ?? -1) + 1
    var entries = others(behind: nil)
    for member in kept.prefix(known) {
      entries.append(entry(member))
      entries += others(behind: member.key)
    }
    entries += keys.suffix(appended).map { entry(SaveRequest.Member(key: $0, written: nil)) }
    return entries + kept.dropFirst(known).map(entry)
  }

  // MARK: Keys

  /// The indexes of the keys that are out of order: all but a longest increasing subsequence.
  ///
  /// O(n log n).
  static func outOfOrder(_ keys: [Int64?]) -> [Int] {
    var tails: [Int] = []
    var before: [Int?] = Array(repeating: nil, count: keys.count)
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        // `tails` only contains indexes whose key is not nil.
        if keys[tails[middle]]! < key { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var kept: Set<Int> = []
    var index = tails.last
    while let current = index {
      kept.insert(current)
      index = before[current]
    }
    return keys.indices.filter { keys[$0] != nil && !kept.contains($0) }
  }

  /// Sets each missing key to a value between its neighbours; returns false if there is no room.
  static func fill(_ keys: inout [Int64?]) -> Bool {
    var index = 0
    while index < keys.count {
      guard keys[index] == nil else {
        index += 1
        continue
      }
      var end = index
      while end < keys.count, keys[end] == nil { end += 1 }
      let count = Int64(end - index)
      let previous = index > 0 ? keys[index - 1] : nil
      let next = end < keys.count ? keys[end] : nil
      switch (previous, next) {
      case (nil, nil):
        for offset in 0..<count { keys[index + Int(offset)] = first + offset * step }
      case (let previous?, nil):
        guard previous <= Int64.max - count * step else { return false }
        for offset in 0..<count { keys[index + Int(offset)] = previous + (offset + 1) * step }
      case (nil, let next?):
        let gap = next / (count + 1)
        guard gap > 0 else { return false }
        for offset in 0..<count { keys[index + Int(offset)] = next - (count - offset) * gap }
      case (let previous?, let next?):
        let (room, isTooMuch) = next.subtractingReportingOverflow(previous)
        let gap = room / (count + 1)
        guard gap > 0, !isTooMuch else { return false }
        for offset in 0..<count { keys[index + Int(offset)] = previous + (offset + 1) * gap }
      }
      index = end
    }
    return true
  }
}
