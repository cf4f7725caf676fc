import DataModel

/// One save into a store in memory, on a copy of its contents.
struct InMemorySave {
  var contents: InMemoryStore.Contents
  let request: SaveRequest
  private var result: SaveResult

  init(contents: InMemoryStore.Contents, request: SaveRequest) {
    self.contents = contents
    self.request = request
    result = SaveResult(of: request)
  }

  mutating func run() throws -> SaveResult {
    for delete in request.deletes {
      try check(delete.entity, delete.key, version: delete.version ?? 0)
      contents.rows[delete.entity.root]?[delete.key] = nil
    }
    allotKeys()
    for list in request.lists { try place(list) }
    for update in request.updates { try write(update) }
    let takenOver = Set(result.takenOver)
    for (place, insert) in request.inserts.enumerated() where !takenOver.contains(place) {
      // `allotKeys` gave every insert a key.
      try put(insert.row, insert.entity, key: result.keys[insert.temporaryKey]!, version: 1)
    }
    return result
  }

  private func stored(_ entity: EntityBinding, _ key: Int64) -> InMemoryStore.StoredRow? {
    contents.rows[entity.root]?[key]
  }

  private func check(_ entity: EntityBinding, _ key: Int64, version: Int64) throws {
    guard let stored = stored(entity, key), stored.row.version == version else {
      throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key))
    }
  }

  private mutating func allotKeys() {
    for (place, insert) in request.inserts.enumerated() {
      let key: Int64
      if let slot = insert.uniqueSlot,
        let unique = insert.entity.uniqueness.first(where: { $0.slots == [slot] }),
        let existing = twin(of: insert.row, insert.entity, in: unique, but: 0)
      {
        key = existing
        result.takenOver.append(place)
      } else {
        key = contents.highestKeys[insert.entity.root, default: 0] + 1
        contents.highestKeys[insert.entity.root] = key
      }
      result.keys[insert.temporaryKey] = key
    }
  }

  private mutating func place(_ list: SaveRequest.OrderedList) throws {
    guard let owner = list.owner < 0 ? result.keys[list.owner] : list.owner,
      let slot = list.toOne.orderKeySlot
    else { return }
    let members = (contents.rows[list.memberEntity.root] ?? [:])
      .filter { $1.row.hasValue(list.toOne.slot) && $1.row.integer(list.toOne.slot) == owner }
      .sorted { ($0.value.row.integer(slot), $0.key) < ($1.value.row.integer(slot), $1.key) }
      .map { StoredMember(key: $0, orderKey: $1.row.integer(slot), version: $1.row.version) }
    let placing = OrderKeyPlacing(
      storage: InMemoryOrderedList(
        members: members, entity: list.memberEntity, orderKeySlot: slot),
      list: list, leaving: request.membersLeaving(list))
    if !list.isWhole, try placing.append() { return }
    for move in try placing.arrange() {
      guard let stored = stored(move.entity, move.key) else { continue }
      let row = stored.row.copy(slotCount: move.entity.slotCount)
      defer { row.free(slotCount: move.entity.slotCount) }
      row.setBits(UInt64(bitPattern: move.orderKey), move.slot)
      try put(row, stored.entity, key: move.key, version: move.version)
      result.moves.append(move)
    }
  }

  private mutating func write(_ update: SaveRequest.Update) throws {
    let kinds = update.entity.kinds
    let version = update.snapshot.version
    let isChanged = kinds.indices.contains {
      !update.row.isEqual($0, to: update.snapshot, isTail: kinds[$0].isTail)
    }
    guard isChanged else { return result.versions.append(version) }
    try check(update.entity, update.key, version: version)
    try put(update.row, update.entity, key: update.key, version: version + 1)
    result.versions.append(version + 1)
  }

  private mutating func put(
    _ row: PackedRow, _ entity: EntityBinding, key: Int64, version: Int64
  ) throws {
    for unique in entity.uniqueness where twin(of: row, entity, in: unique, but: key) != nil {
      throw PersistentStoreError.uniquenessViolation(
        entity: entity.name, properties: unique.properties)
    }
    let stored = InMemoryStore.StoredRow(row, entity: entity)
    stored.row.version = version
    for toOne in entity.toOnes where stored.row.hasValue(toOne.slot) {
      if let permanent = result.keys[stored.row.integer(toOne.slot)] {
        stored.row.setBits(UInt64(bitPattern: permanent), toOne.slot)
      }
    }
    contents.rows[entity.root, default: [:]][key] = stored
  }

  /// The key of another row with the same unique values.
  private func twin(
    of row: PackedRow, _ entity: EntityBinding, in unique: EntityBinding.Uniqueness, but key: Int64
  ) -> Int64? {
    guard unique.slots.allSatisfy({ row.hasValue($0) }) else { return nil }
    return contents.rows[entity.root]?.first { other, stored in
      other != key && unique.family.contains(stored.entity.index)
        && unique.slots.allSatisfy {
          stored.row.isEqual($0, to: row, isTail: entity.kinds[$0].isTail)
        }
    }?.key
  }
}

/// One ordered to-many of a store in memory.
private struct InMemoryOrderedList: OrderedListStorage {
  let members: [StoredMember]
  let entity: EntityBinding
  let orderKeySlot: Int

  func lastOrderKey() -> Int64? { members.last?.orderKey }
  func storedMembers() -> [StoredMember] { members }
  func move(_ key: Int64, version: Int64, to orderKey: Int64) -> SaveResult.Move {
    SaveResult.Move(
      entity: entity, key: key, slot: orderKeySlot, orderKey: orderKey, version: version + 1)
  }
}
