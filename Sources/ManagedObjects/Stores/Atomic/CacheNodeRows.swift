import DataFormats
import DataModel

/// The rows of an ``AtomicStore``, made of its nodes as it loads.
final class CacheNodeRows: AtomicRows, @unchecked Sendable {
  private unowned let store: AtomicStore
  /// The nodes by the keys of their objects; of those that came in tables, the ones that somebody
  /// has asked for.
  private var nodes: [Int64: AtomicStoreCacheNode] = [:]
  /// The rows in the making, while the store loads.
  private var loading: DocumentRows?
  /// The row of a node in the making.
  private var draft = RowDraft()
  private var hasLock = false
  /// Whether others have changed the store, and what they wrote could not be read.
  private var isUnread = false
  /// The keys that the save at hand has given.
  private var givenKeys: Set<Int64> = []
  /// The keys of the references that a migrated store's objects keep.
  private var keptKeys: Set<Int64> = []
  /// The highest numbers that are references in what was loaded, by the indexes of the root
  /// entities, as far as they were asked for.
  private var loadedNumbers: [Int: Int64] = [:]
  /// The highest numbers that new objects were given, saved or not, or were kept, likewise.
  private var givenNumbers: [Int: Int64] = [:]
  /// The members of to-manys as the contents have them.
  private var members: InMemoryMembers?
  /// The positions in ordered lists as the contents have them.
  private var positions: InMemoryPositions?

  override var contents: Contents {
    didSet {
      members = nil
      positions = nil
    }
  }

  init(_ store: AtomicStore) {
    self.store = store
    super.init(
      type: store.type, url: store.url, identity: store.identity, bound: store.bound,
      offset: store.offset, contents: Contents(), isReadOnly: store.isReadOnly)
  }

  // MARK: Nodes

  var allNodes: [AtomicStoreCacheNode] { store.references.allKeys.compactMap { node(of: $0) } }

  /// The node of an object; nil where there is none.
  func node(of key: Int64) -> AtomicStoreCacheNode? {
    if let node = nodes[key] { return node }
    guard loading == nil, let id = store.objectID(of: key),
      contents.rows[id.binding.root]?[key] != nil
    else { return nil }
    let node = AtomicStoreCacheNode(objectID: id)
    node.rows = self
    nodes[key] = node
    return node
  }

  func add(_ added: some Sequence<AtomicStoreCacheNode>) {
    for node in added {
      require(
        node.objectID.binding.store === identity && !node.objectID.isTemporaryID,
        "\(node.objectID) is no object of this store.")
      node.rows = self
      require(
        nodes.updateValue(node, forKey: node.objectID.key) == nil,
        "There is a node for \(node.objectID) already.")
      pack(node)
    }
  }

  /// Adds an object that has no node yet, and frees its row.
  func add(_ id: ManagedObjectID, _ row: PackedRow, _ lists: [CustomStore.List]) throws {
    guard loading != nil else { fatalError("Rows are added while a store loads.") }
    do {
      try loading?.add(id.key, id.binding, row, line: 1)
    } catch {
      throw store.invalid(error.reason)
    }
    for list in lists { loading?.add(list.members[...], of: list.toMany) }
  }

  /// Keeps a node's values packed until the store has loaded; those that do not fit the model, and
  /// lists, stay as they are until then.
  private func pack(_ node: AtomicStoreCacheNode) {
    guard let values = node.propertyCache,
      let lists = try? store.fill(&draft, of: node.objectID.binding, with: values), lists.isEmpty
    else { return }
    node.pack(draft.makeRow())
  }

  /// The values that a row has, but for lists.
  func values(of row: PackedRow, _ binding: EntityBinding) -> [String: PropertyValue] {
    binding.values(of: row) { key, _ in store.objectID(of: key) }
  }

  func values(of id: ManagedObjectID) -> [String: PropertyValue] {
    let (binding, key) = (id.binding, id.key)
    guard let stored = contents.rows[binding.root]?[key] else { return [:] }
    var values = values(of: stored.row, binding)
    for toMany in binding.toManys {
      if let ids = members(of: toMany, owner: key) {
        values[toMany.description.name] = .toMany(ids)
      }
    }
    return values
  }

  func value(of id: ManagedObjectID, named name: String) -> PropertyValue? {
    let (binding, key) = (id.binding, id.key)
    guard let stored = contents.rows[binding.root]?[key] else { return nil }
    if let slot = binding.slotsByName[name] {
      guard slot < binding.storedSlotCount else { return nil }
      return binding.value(of: stored.row, at: slot) { key, _ in store.objectID(of: key) }?.value
    }
    guard let number = binding.toManysByName[name] else { return nil }
    return members(of: binding.toManys[number], owner: key).map { .toMany($0) }
  }

  /// The members of an object's to-many; nil where it has none.
  func members(of toMany: EntityBinding.ToMany, owner: Int64) -> [ManagedObjectID]? {
    let known = members ?? InMemoryMembers(contents, store: self)
    members = known
    let found = known.of(toMany, owner: owner).compactMap { store.objectID(of: $0.key) }
    return found.isEmpty ? nil : found
  }

  /// Where an object stands in the ordered list that a to-one leads to; nil where it has no order.
  func position(of key: Int64, _ toOne: EntityBinding.ToOne) -> Int? {
    let known = positions ?? InMemoryPositions(contents, store: self)
    positions = known
    return known.of(key, toOne)
  }

  private func snapshot(of key: Int64, changedKeys: Set<String>? = nil) -> ManagedObjectSnapshot? {
    guard let id = store.objectID(of: key),
      let stored = contents.rows[id.binding.root]?[key]
    else { return nil }
    return ManagedObjectSnapshot(
      objectID: id, values: values(of: id), version: UInt64(stored.row.version),
      changedKeys: changedKeys)
  }

  // MARK: Loading

  /// Has the store load, and makes rows of what it gave.
  ///
  /// Rows that are as they were keep their lock counts.
  func load(previous: Contents?) throws -> Contents {
    let before = (nodes, store.metadata)
    nodes = [:]
    do {
      if previous != nil {
        store.metadata = [:]
        try store.loadMetadata()
        guard store.metadata[StoredMetadata.uuidKey] == .string(identifier) else {
          throw PersistentStoreError.moved(urlForErrors)
        }
        try store.adoptMetadata()
      }
      loading = DocumentRows(
        name: { [store] key, _ in store.objectID(of: key)?.description ?? "\(key)" },
        bindings: bindings, joins: joins, offset: offset, keepsUnknown: false, previous: previous)
      defer { loading = nil }
      try store.load()
      let contents = try finish()
      for node in nodes.values { node.propertyCache = nil }
      loadedNumbers = [:]
      return contents
    } catch {
      (nodes, store.metadata) = before
      throw error
    }
  }

  /// Adds the rows of the nodes, and puts all together.
  private func finish() throws -> Contents {
    guard var rows = loading else { fatalError("No store is loading.") }
    loading = nil
    do {
      let keys = nodes.isEmpty ? 1..<1 : store.references.allKeys
      for node in keys.lazy.compactMap({ self.nodes[$0] }) {
        let entity = node.objectID.binding
        if let row = node.takePackedRow() {
          try rows.add(node.objectID.key, entity, row, line: 1)
          continue
        }
        let lists = try store.fill(&draft, of: entity, with: node.propertyCache ?? [:])
        try rows.add(node.objectID.key, entity, draft.makeRow(), line: 1)
        for list in lists { rows.add(list.members[...], of: list.toMany) }
      }
      return try rows.finish(metadata: store.metadata)
    } catch let error as DataError {
      throw store.invalid(error.reason)
    }
  }

  override func changedContents() throws -> Contents? {
    guard try isUnread || store.isOutdated() else { return nil }
    // Until what is there can be read, nobody may write over it, however often somebody tries.
    isUnread = true
    let contents = try load(previous: contents)
    isUnread = false
    return contents
  }

  // MARK: Keys

  override func newKey(
    for insert: SaveRequest.Insert, in contents: inout Contents
  ) throws -> Int64 {
    let key = try newKey(for: insert)
    guard contents.rows[insert.entity.root]?[key] == nil, !keptKeys.contains(key),
      givenKeys.insert(key).inserted
    else {
      let reference = store.references[key]?.reference.description ?? ""
      throw store.invalid(
        "it gives a new \(insert.entity.name) the reference \(reference), which another one has")
    }
    return key
  }

  private func newKey(for insert: SaveRequest.Insert) throws -> Int64 {
    let reference = try store.newReferenceObject(for: store.snapshot(of: insert))
    noteGiven(reference, of: insert.entity)
    return store.references.key(of: reference, entity: insert.entity.index)
  }

  /// The key of an object that is to be known by what it was known by in another version of the
  /// store.
  func keep(_ reference: ReferenceObject, of entity: EntityBinding) -> Int64 {
    let key = store.references.key(of: reference, entity: entity.index)
    keptKeys.insert(key)
    noteGiven(reference, of: entity)
    return key
  }

  /// Has a number given to nobody else, though it may never be saved and others change the store.
  private func noteGiven(_ reference: ReferenceObject, of entity: EntityBinding) {
    guard let number = reference.number else { return }
    givenNumbers[entity.root] = max(givenNumbers[entity.root] ?? 0, number)
  }

  func reserveKeys(for inserts: [SaveRequest.Insert]) throws -> [Int64] {
    try followChanges()
    givenKeys = []
    // The store looks at what is there to find a number.
    var contents = contents
    return try inserts.map { try newKey(for: $0, in: &contents) }
  }

  /// The number behind the highest that an object of a family has, or that was set aside for one.
  func nextNumber(of root: Int) -> ReferenceObject {
    let loaded =
      loadedNumbers[root]
      ?? (contents.rows[root] ?? [:]).keys.reduce(0) { highest, key in
        max(highest, store.references[key]?.reference.number ?? 0)
      }
    loadedNumbers[root] = loaded
    let next = max(loaded, givenNumbers[root] ?? 0) + 1
    givenNumbers[root] = next
    return ReferenceObject(next)
  }

  // MARK: Writing

  override var isLocked: Bool { hasLock }

  override func lock() throws {
    try store.lock()
    hasLock = true
  }

  override func unlock() {
    guard hasLock else { return }
    hasLock = false
    store.unlock()
  }

  override func save(
    _ request: SaveRequest, before body: () throws -> Void
  ) throws -> SaveResult {
    givenKeys = []
    return try super.save(request, before: body)
  }

  override func put(_ contents: Contents, before body: () throws -> Void) throws {
    let changes = CacheNodeChanges(from: self.contents, to: contents, in: self)
    let removed = changes.deleted.compactMap { node(of: $0) }
    let before = (self.contents, nodes, store.metadata)
    try body()
    store.willRemoveCacheNodes(removed)
    self.contents = contents
    store.metadata = contents.metadata
    for key in changes.deleted { nodes[key] = nil }
    for key in changes.inserted {
      guard let snapshot = snapshot(of: key) else { continue }
      let node = store.newCacheNode(for: snapshot)
      node.rows = self
      nodes[key] = node
    }
    tell(changes.updated)
    do {
      try store.save()
    } catch {
      (self.contents, nodes, store.metadata) = before
      tell(changes.updated)
      throw error
    }
  }

  private func tell(_ updated: [Int64: Set<String>]) {
    for (key, names) in updated {
      guard let node = node(of: key), let snapshot = snapshot(of: key, changedKeys: names) else {
        continue
      }
      store.updateCacheNode(node, from: snapshot)
    }
  }
}
