import DataModel

/// Copies all contents of a store into an empty one of the same model, of any store types.
///
/// Stores are read and written through their common protocol (`RowStore`), so a new type needs no
/// change here.
struct StoreTransfer {
  let source: any RowStore

  /// The maximum number of rows, and the approximate maximum of bytes, in memory.
  private static let maximumRowCount = 10_000
  private static let mostBytes = 16 << 20

  /// Fills a store part by part, in constant memory.
  ///
  /// Primary keys are kept, and so are the highest keys ever assigned.
  ///
  /// - Throws: `PersistentStoreError`, `MigrationError`; the store must be discarded then.
  func fill(_ store: some KeyedStore) throws {
    try source.refuseRowsOfNoEntity()
    var part = Part(of: store)
    var highest: [Int: Int64] = [:]
    try forEachRow(for: store) { entity, key, row in
      highest[entity.root] = max(highest[entity.root] ?? 0, key)
      part.add(entity, key, row)
      if part.rowCount >= Self.maximumRowCount || part.byteCount >= Self.mostBytes {
        try part.save()
      }
    }
    try part.save()
    try forEachLink(for: store) { link, list in
      part.add(link, list)
      if part.linkCount >= Self.maximumRowCount { try part.save() }
    }
    try part.save()
    for root in source.bindings where root.root == root.index {
      let counterpart = counterpart(of: root, in: store)
      let given = try highestGivenKey(of: root)
      try store.advanceHighestKey(to: max(given, highest[counterpart.index] ?? 0), of: counterpart)
    }
  }

  /// Fills a store that holds everything in memory anyway, in one save; it assigns new keys.
  ///
  /// References to missing rows are cleared.
  func fill(wholly store: any RowStore) throws {
    try fillRows(of: store) { _, _ in nil }
    let metadata = try source.metadata()
    try store.updateMetadata { StoredMetadata.replaceOwnKeys(of: &$0, with: metadata) }
  }

  /// Copies all rows in one save.
  ///
  /// - Parameters:
  ///   - savesNothing: whether the store is also saved if there are no rows.
  ///   - kept: the key that a row keeps, by its entity in the store and its key here; nil if the
  ///     store assigns one.
  func fillRows(
    of store: any RowStore, savingNothing savesNothing: Bool = false,
    keeping kept: (_ entity: EntityBinding, _ key: Int64) -> Int64?
  ) throws {
    try source.refuseRowsOfNoEntity()
    var part = Part(of: store)
    part.makesKeys = true
    part.savesNothing = savesNothing
    try forEachRow(for: store) { entity, key, row in
      part.add(entity, key, row, as: kept(entity, key))
    }
    part.replaceDestinationKeys()
    try forEachLink(for: store) { link, list in part.add(link, list) }
    try part.save()
  }

  /// The highest key ever assigned to a row of a root entity, as far as the source knows.
  func highestGivenKey(of root: EntityBinding) throws -> Int64 {
    switch source {
    case let source as any KeyedStore: try source.highestGivenKey(of: root)
    case let source as InMemoryStore: source.contents.highestKey(of: root.index)
    default: 0
    }
  }

  // MARK: Reading

  /// Passes all rows to a closure, one entity hierarchy after another, in the other store's form;
  /// the closure frees them.
  private func forEachRow(
    for store: any RowStore,
    _ body: (_ entity: EntityBinding, _ key: Int64, _ row: PackedRow) throws -> Void
  ) throws {
    let numbers = Dictionary(
      uniqueKeysWithValues: source.bindings.map {
        ($0.number, counterpart(of: $0, in: store).number)
      })
    let orderKeys = try source.givesOrderKeys ? [:] : orderKeysOfLists()
    for root in source.bindings where root.root == root.index {
      let rows = try source.rows(for: FetchPlan(entity: root))
      while try rows.next() {
        let entity = source.binding(at: rows.entity)
        var row = try rows.makeRow()
        for slot in entity.externalSlots where row.isUnreadable(slot) {
          let value = try source.externalValue(at: slot, of: entity, rows.key)
          row = (value ?? []).withUnsafeBytes {
            row.replacingBytes(
              slot, with: value == nil ? nil : $0, slotCount: entity.slotCount,
              tailSlots: entity.tailSlots)
          }
        }
        for (slot, orderKey) in orderKeys[rows.key] ?? [:] {
          row.setBits(UInt64(bitPattern: orderKey), slot)
        }
        // The slot after a key has the number that the store uses for the entity of the referenced
        // row.
        for case let slot? in entity.toOnes.map(\.entitySlot) where row.hasValue(slot) {
          let number = Int(clamping: row.integer(slot))
          row.setBits(UInt64(bitPattern: Int64(numbers[number] ?? number)), slot)
        }
        try body(counterpart(of: entity, in: store), rows.key, row)
      }
    }
  }

  /// Order keys for members of ordered lists, by their keys and slots.
  ///
  /// For stores that return the order only with a list.
  private func orderKeysOfLists() throws -> [Int64: [Int: Int64]] {
    var orderKeys: [Int64: [Int: Int64]] = [:]
    for entity in source.bindings {
      for toMany in entity.toManys where toMany.description.isOrdered {
        let destination = source.binding(at: toMany.destination)
        guard case .foreignKey(let slot) = toMany.storage,
          let orderKeySlot = destination.toOnesBySlot[slot]?.orderKeySlot
        else { continue }
        try forEachOwner(of: entity) { _, members in
          for (index, member) in members.enumerated() {
            orderKeys[member, default: [:]][orderKeySlot] =
              OrderKeyPlacing.first + Int64(index) * OrderKeyPlacing.step
          }
        } members: {
          FetchPlan(membersOf: toMany, owners: $0, in: destination)
        }
      }
    }
    return orderKeys
  }

  /// Passes all join-table links to a closure, and the lists of ordered ones.
  private func forEachLink(
    for store: any RowStore,
    _ body: (SaveRequest.Link?, SaveRequest.OrderedList?) throws -> Void
  ) throws {
    // The first objects' links before the second ones' lists of them.
    for isFirst in [true, false] {
      for entity in source.bindings {
        for toMany in entity.toManys {
          guard case .join(let end) = toMany.storage, end.isFirst == isFirst,
            isFirst || end.isOrdered,
            case .join(let newEnd) = counterpart(of: entity, in: store).toManys[toMany.number]
              .storage
          else { continue }
          try forEachOwner(of: entity) { owner, members in
            for member in members where isFirst {
              try body(.init(join: newEnd.join, first: owner, second: member), nil)
            }
            guard end.isOrdered, !members.isEmpty else { return }
            let list = SaveRequest.OrderedList(
              storage: .join(newEnd), owner: owner,
              members: ContiguousArray(members.map { .init(key: $0, written: nil) }),
              isWhole: true)
            try body(nil, list)
          } members: {
            FetchPlan(membersOf: toMany, owners: $0, in: source.binding(at: toMany.destination))
          }
        }
      }
    }
  }

  /// Passes the objects of exactly one entity to a closure, in batches, each with its members.
  private func forEachOwner(
    of entity: EntityBinding, _ body: (_ owner: Int64, _ members: [Int64]) throws -> Void,
    members: ([Int64]) -> FetchPlan
  ) throws {
    var plan = FetchPlan(entity: entity)
    plan.includesSubentities = false
    plan.keysOnly = true
    let rows = try source.rows(for: plan)
    var owners: [Int64] = []
    func readMembers() throws {
      guard !owners.isEmpty else { return }
      var found: [Int64: [Int64]] = [:]
      var plan = members(owners)
      plan.keysOnly = true
      let rows = try source.rows(for: plan)
      // For a single owner a store need not return the owner.
      while try rows.next() {
        found[owners.count == 1 ? owners[0] : rows.owner, default: []].append(rows.key)
      }
      for owner in owners { try body(owner, found[owner] ?? []) }
      owners = []
    }
    while try rows.next() {
      owners.append(rows.key)
      if owners.count == 500 { try readMembers() }
    }
    try readMembers()
  }

  private func counterpart(of entity: EntityBinding, in store: any RowStore) -> EntityBinding {
    store.binding(at: store.offset + entity.index - source.offset)
  }
}

/// A batch of rows and links that is written into a store at once.
private struct Part {
  private let store: any RowStore
  private var request = SaveRequest()
  /// Whether the store assigns new keys to the rows.
  var makesKeys = false
  /// Whether the store is also saved if there is nothing to write.
  var savesNothing = false
  /// The temporary keys of rows, by their roots and old keys.
  private var newKeys: [Int: [Int64: Int64]] = [:]
  private(set) var byteCount = 0
  private(set) var linkCount = 0
  var rowCount: Int { request.inserts.count }

  /// The root entities at the ends of each join.
  private let joinRoots: [Int: (first: Int, second: Int)]

  init(of store: any RowStore) {
    self.store = store
    request.checksDestinations = false
    var roots: [Int: (first: Int, second: Int)] = [:]
    for entity in store.bindings {
      for toMany in entity.toManys {
        guard case .join(let end) = toMany.storage, end.isFirst else { continue }
        roots[end.join] = (entity.root, store.binding(at: toMany.destination).root)
      }
    }
    joinRoots = roots
  }

  /// Adds a row, which is freed after it is written.
  ///
  /// - Parameter kept: the key that it keeps in the store, if that would assign one.
  mutating func add(
    _ entity: EntityBinding, _ key: Int64, _ row: PackedRow, as kept: Int64? = nil
  ) {
    var key = key
    if makesKeys {
      let new = kept ?? -Int64(rowCount) - 1
      newKeys[entity.root, default: [:]][key] = new
      key = new
    }
    byteCount += row.byteCount
    request.inserts.append(.init(entity: entity, temporaryKey: key, row: row, lookUp: nil))
  }

  /// Replaces the keys in all to-ones by those that their rows have until they are saved.
  mutating func replaceDestinationKeys() {
    for insert in request.inserts {
      for toOne in insert.entity.toOnes where insert.row.hasValue(toOne.slot) {
        let root = store.binding(at: toOne.destination).root
        if let key = newKeys[root]?[insert.row.integer(toOne.slot)] {
          insert.row.setBits(UInt64(bitPattern: key), toOne.slot)
        } else {
          for slot in [toOne.slot, toOne.entitySlot, toOne.orderKeySlot].compactMap({ $0 }) {
            insert.row.setHasValue(false, slot)
          }
        }
      }
    }
  }

  mutating func add(_ link: SaveRequest.Link?, _ list: SaveRequest.OrderedList?) {
    if let link {
      linkCount += 1
      guard makesKeys else {
        request.addedLinks.insert(link)
        return
      }
      guard let first = newKey(link.first, ofFirst: true, link.join),
        let second = newKey(link.second, ofFirst: false, link.join)
      else { return }
      request.addedLinks.insert(.init(join: link.join, first: first, second: second))
    }
    guard let list, case .join(let end) = list.storage else { return }
    linkCount += list.members.count
    guard makesKeys else { return request.lists.append(list) }
    guard let owner = newKey(list.owner, ofFirst: end.isFirst, end.join) else { return }
    let members = list.members.compactMap { member in
      newKey(member.key, ofFirst: !end.isFirst, end.join)
        .map { SaveRequest.Member(key: $0, written: nil) }
    }
    request.lists.append(
      .init(
        storage: list.storage, owner: owner, members: ContiguousArray(members), isWhole: true))
  }

  private func newKey(_ key: Int64, ofFirst isFirst: Bool, _ join: Int) -> Int64? {
    guard let ends = joinRoots[join] else { return nil }
    return newKeys[isFirst ? ends.first : ends.second]?[key]
  }

  /// Writes the batch, and frees it.
  mutating func save() throws {
    defer {
      for insert in request.inserts { insert.row.free(slotCount: insert.entity.slotCount) }
      request = SaveRequest()
      request.checksDestinations = false
      (byteCount, linkCount) = (0, 0)
    }
    guard savesNothing || !request.inserts.isEmpty || linkCount > 0 else { return }
    if let store = store as? any KeyedStore {
      try store.fill(request)
    } else {
      if let uncertainty = try store.save(request, before: {}).uncertainty { throw uncertainty }
    }
  }
}

extension SQLiteStore: KeyedStore {
  func fill(_ request: SaveRequest) throws { _ = try save(request) {} }

  func highestGivenKey(of root: EntityBinding) throws -> Int64 {
    try mappingErrors { try highestKey(of: root) }
  }

  func advanceHighestKey(to key: Int64, of root: EntityBinding) throws {
    try mappingErrors { try setHighestKey(max(key, highestKey(of: root)), of: root) }
  }
}

extension RowStore {
  /// Throws for a store with rows that belong to no object: they would be lost.
  fileprivate func refuseRowsOfNoEntity() throws {
    guard let store = self as? SQLiteStore else { return }
    try store.mappingErrors { try store.schema.refuseRowsOfNoEntity(on: store.connection) }
  }
}
