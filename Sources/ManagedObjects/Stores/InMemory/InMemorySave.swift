import DataModel

/// A save into an in-memory store, made on a copy of its contents.
struct InMemorySave {
  var contents: InMemoryStore.Contents
  let request: SaveRequest
  private let updateIndex: SaveRequest.UpdateIndex
  let joins: [JoinBinding]
  let store: InMemoryStore
  private(set) var result: SaveResult
  /// The keys of the inserted and updated rows, by the index of their root entity.
  private(set) var written: [Int: [Int64]] = [:]
  /// The members of the ordered lists in the request.
  private var listed = InMemoryListedKeys()

  init(
    contents: InMemoryStore.Contents, request: SaveRequest, joins: [JoinBinding],
    store: InMemoryStore
  ) {
    self.contents = contents
    self.joins = joins
    self.store = store
    self.request = request
    updateIndex = SaveRequest.UpdateIndex(request.updates)
    result = SaveResult(of: request)
  }

  mutating func run() throws -> SaveResult {
    for delete in request.deletes {
      try check(delete.entity, delete.key, version: delete.version ?? 0)
      contents.rows[delete.entity.root]?[delete.key] = nil
    }
    for row in request.checks {
      try check(
        row.entity, row.key, version: row.version ?? stored(row.entity, row.key)?.row.version ?? 0)
    }
    try allotKeys()
    try updateLinks()
    listed = InMemoryListedKeys(of: request.lists.map { ($0.storage, permanent($0.owner)) })
    for list in request.lists { try place(list) }
    for (index, update) in request.updates.enumerated() { try write(update, index) }
    let adopted = Set(result.adopted)
    for (index, insert) in request.inserts.enumerated() where !adopted.contains(index) {
      // A row with a permanent key may have been created by another process or context in the
      // meantime.
      guard insert.temporaryKey < 0 || stored(insert.entity, insert.temporaryKey) == nil else {
        throw ConflictError(
          objectID: ManagedObjectID(binding: insert.entity, key: insert.temporaryKey))
      }
      put(
        insert.row, insert.entity, key: permanent(insert.temporaryKey),
        version: insert.row.version &+ 1, written: .insert(index))
    }
    try checkUniqueness()
    try checkMembersLeft()
    try checkDestinations()
    return result
  }

  func stored(_ entity: EntityBinding, _ key: Int64) -> InMemoryStore.StoredRow? {
    contents.rows[entity.root]?[key]
  }

  private func check(_ entity: EntityBinding, _ key: Int64, version: UInt32) throws {
    guard let stored = stored(entity, key), stored.row.version == version else {
      throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
    }
  }

  private mutating func allotKeys() throws {
    for (index, insert) in request.inserts.enumerated() {
      // An insert with a permanent key has already reserved it.
      guard insert.temporaryKey < 0 else { continue }
      let key: Int64
      if let slot = insert.lookUp?.slot, let existing = rowToTakeOver(insert, slot) {
        key = existing
        result.adopted.append(index)
      } else {
        key = try store.newKey(for: insert, in: &contents)
      }
      result.keys[insert.temporaryKey] = key
    }
  }

  /// The key of the existing row of the entity with the same unique value as a new object.
  private func rowToTakeOver(_ insert: SaveRequest.Insert, _ slot: Int) -> Int64? {
    guard insert.row.hasValue(slot) else { return nil }
    let kind = insert.entity.kinds[slot]
    return contents.rows[insert.entity.root]?.first { key, stored in
      stored.entity === insert.entity && stored.row.isSameValue(slot, in: insert.row, kind: kind)
        && !updateIndex.givesAway(slot, of: insert.entity, key)
    }?.key
  }

  private mutating func updateLinks() throws {
    try checkFollowedLinks()
    func permanent(_ link: SaveRequest.Link) -> SaveRequest.Link {
      SaveRequest.Link(
        join: link.join, first: self.permanent(link.first), second: self.permanent(link.second))
    }
    for link in request.removedLinks {
      let link = permanent(link)
      contents.links[link.join]?[link] = nil
    }
    try checkLinksLeft()
    removeLinksOfDeleted()
    for link in request.addedLinks {
      let link = permanent(link)
      if contents.links[link.join]?[link] == nil {
        contents.links[link.join, default: [:]][link] = InMemoryStore.LinkOrder()
      }
    }
  }

  /// Removes the links of deleted rows.
  private mutating func removeLinksOfDeleted() {
    guard !request.deletes.isEmpty else { return }
    let deleted = Dictionary(grouping: request.deletes, by: \.entity.root)
      .mapValues { Set($0.map(\.key)) }
    for (index, join) in joins.enumerated() {
      let first = deleted[store.binding(at: join.first.entity).root] ?? []
      let second = deleted[store.binding(at: join.secondEntity).root] ?? []
      if first.isEmpty, second.isEmpty { continue }
      contents.links[index] = contents.links[index]?.filter {
        !first.contains($0.key.first) && !second.contains($0.key.second)
      }
    }
  }

  /// The key of a row after this save.
  private func permanent(_ key: Int64) -> Int64 { key < 0 ? result.keys[key] ?? key : key }

  // MARK: Order keys

  private mutating func place(_ list: SaveRequest.OrderedList) throws {
    let owner = permanent(list.owner)
    let storage = InMemoryOrderedList(members: self.members(list.storage, owner: owner))
    var slot: Int?
    var leaving: Set<Int64> = []
    if case .foreignKey(let toOne, let entity) = list.storage {
      slot = toOne.orderKeySlot
      if list.isWhole { leaving = updateIndex.membersLeaving(list.owner, by: toOne, of: entity) }
    }
    let members = ContiguousArray(
      list.members.map { SaveRequest.Member(key: permanent($0.key), written: $0.written) })
    let placing = OrderKeyPlacing(storage: storage, slot: slot, members: members, leaving: leaving)
    if try list.isWhole || !placing.append(&result) { try placing.arrange(&result) }
    for (member, orderKey, version) in storage.written.writes {
      try write(orderKey, to: member, version: version, in: list.storage, owner: owner)
    }
  }

  /// The current members of a list, in their order.
  private mutating func members(
    _ list: SaveRequest.OrderedList.Storage, owner: Int64
  ) -> [StoredMember] {
    let keys = listed.keys(of: owner, in: list, contents)
    let members: [StoredMember]
    switch list {
    case .foreignKey(let toOne, let entity):
      guard let slot = toOne.orderKeySlot else { return [] }
      members = keys.compactMap { key in
        stored(entity, key).map {
          StoredMember(key: key, orderKey: $0.row.integer(slot), version: $0.row.version)
        }
      }
    case .join(let end):
      members = keys.map { key in
        let order = contents.links[end.join]?[SaveRequest.Link(end, owner: owner, member: key)]
        return StoredMember(
          key: key, orderKey: end.isFirst ? order?.second : order?.first, version: 0)
      }
    }
    return members.sorted { ($0.orderKey ?? 0, $0.key) < ($1.orderKey ?? 0, $1.key) }
  }

  private mutating func write(
    _ orderKey: Int64, to member: Int64, version: UInt32,
    in storage: SaveRequest.OrderedList.Storage, owner: Int64
  ) throws {
    switch storage {
    case .foreignKey(let toOne, let entity):
      guard let slot = toOne.orderKeySlot else { return }
      guard let stored = stored(entity, member) else { return }
      let row = stored.row.copy(slotCount: stored.entity.slotCount)
      defer { row.free(slotCount: stored.entity.slotCount) }
      row.setBits(UInt64(bitPattern: orderKey), slot)
      put(row, stored.entity, key: member, version: version &+ 1)
      result.moves.append(
        SaveResult.Move(
          entity: entity, key: member, slot: slot, orderKey: orderKey, version: version &+ 1))
    case .join(let end):
      let link = SaveRequest.Link(end, owner: owner, member: member)
      if end.isFirst {
        contents.links[end.join]?[link]?.second = orderKey
      } else {
        contents.links[end.join]?[link]?.first = orderKey
      }
    }
  }

  // MARK: Rows

  private mutating func write(_ update: SaveRequest.Update, _ index: Int) throws {
    let version = update.snapshot.version
    var changed: [Int] = []
    update.findChangedSlots(&changed) { result.orderKeys[.update(index), $0] }
    if changed.isEmpty { return result.versions.append(version) }
    try check(update.entity, update.key, version: version)
    put(
      update.row, update.entity, key: update.key, version: version &+ 1, written: .update(index))
    result.versions.append(version &+ 1)
  }

  private mutating func put(
    _ row: PackedRow, _ entity: EntityBinding, key: Int64, version: UInt32,
    written: SaveRequest.WrittenRow? = nil
  ) {
    let stored = InMemoryStore.StoredRow(row, entity: entity)
    stored.row.version = version
    if let written {
      for case let slot? in entity.toOnes.lazy.map(\.orderKeySlot) {
        guard let orderKey = result.orderKeys[written, slot] else { continue }
        stored.row.setBits(UInt64(bitPattern: orderKey), slot)
      }
    }
    for slot in entity.storedSlotCount..<entity.slotCount { stored.row.setHasValue(false, slot) }
    for toOne in entity.toOnes where stored.row.hasValue(toOne.slot) {
      if let permanent = result.keys[stored.row.integer(toOne.slot)] {
        stored.row.setBits(UInt64(bitPattern: permanent), toOne.slot)
      }
    }
    contents.rows[entity.root, default: [:]][key] = stored
    self.written[entity.root, default: []].append(key)
  }
}

/// One ordered to-many of an in-memory store; order keys are collected and written afterwards.
private struct InMemoryOrderedList: OrderedListStorage {
  final class Written {
    var writes: [(member: Int64, orderKey: Int64, version: UInt32)] = []
  }

  let members: [StoredMember]
  let written = Written()

  func lastOrderKey() -> Int64? { members.last?.orderKey }
  func storedMembers() -> [StoredMember] { members }
  func write(_ orderKey: Int64, to member: Int64, version: UInt32) -> SaveResult.Move? {
    written.writes.append((member, orderKey, version))
    return nil
  }
}

extension SaveRequest.Link {
  /// The link between an owner at one end of a join and a member at the other.
  fileprivate init(_ end: EntityBinding.JoinEnd, owner: Int64, member: Int64) {
    self.init(
      join: end.join, first: end.isFirst ? owner : member,
      second: end.isFirst ? member : owner)
  }
}
