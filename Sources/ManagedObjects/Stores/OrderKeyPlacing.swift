/// One ordered to-many as a store has it, inside the transaction of a save.
protocol OrderedListStorage {
  /// The highest order key in the list, or nil where there is none.
  func lastOrderKey() throws -> Int64?
  /// The members in their order; new ones whose order key is still to come stand first.
  func storedMembers() throws -> [StoredMember]
  /// Gives a member an order key whose row the save does not write; tells of a row that changes
  /// thereby.
  func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move?
}

/// A member of an ordered to-many as it is stored.
struct StoredMember {
  let key: Int64
  /// nil for a link that is new in this save, and where a damaged store has none.
  let orderKey: Int64?
  let version: UInt32
}

/// Gives the members of one ordered to-many their order keys, with Core Data's spacing.
///
/// The first member gets 2048, each appended one 1024 more than the last; members put between two
/// keys stand evenly between them; where there is no room, the whole list is numbered anew. Works
/// on the list as it stands inside the transaction, so that members which others added meanwhile
/// stay.
struct OrderKeyPlacing {
  let storage: any OrderedListStorage
  /// The slot of the order keys in the members' rows; nil where they stand in links.
  let slot: Int?
  /// All members in their order, or only those to go to the end; their keys are permanent.
  let members: ContiguousArray<SaveRequest.Member>
  /// The members that leave the list in the same save.
  let leaving: Set<Int64>

  static let first: Int64 = 2048
  static let step: Int64 = 1024

  // MARK: At the end

  /// Puts the members behind all that are stored; costs one look into the index.
  ///
  /// False where no numbers are left there; then nothing was done.
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

  // MARK: Anywhere

  /// A member of the list as it will be.
  private struct Entry {
    let member: SaveRequest.Member
    /// The order key that is stored for this list; nil for a member that is new to it.
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

  /// The wanted order, with members that others put in meanwhile behind the one they stood behind,
  /// and without those that others took out.
  ///
  /// What others appended stays at the end, with the members that this save appends behind it: so
  /// those keep their keys, and whoever appended them meets no conflict.
  private func merged() throws -> [Entry] {
    let storedMembers = try storage.storedMembers()
    // A damaged index can give a member twice.
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

  /// The indexes of the keys that stand in the way: all but a longest run of rising keys.
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
        // Only indexes of a key get into `tails`.
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

  /// Gives every missing key one between its neighbours; false where there is no room.
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
