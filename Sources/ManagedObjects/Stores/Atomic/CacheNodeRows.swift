import DataFormats
import DataModel

/// The rows of an ``AtomicStore``, created from its nodes when it loads.
final class CacheNodeRows: AtomicRows, @unchecked Sendable {
  private unowned let store: AtomicStore
  /// The existing nodes by the keys of their objects; for objects added by tables, only those that
  /// were requested.
  private var nodes: [Int64: AtomicStoreCacheNode] = [:]
  /// The rows collected so far, while the store loads.
  private var loading: DocumentRows?
  /// A buffer for the row of one node.
  private var draft = RowDraft()
  private var hasLock = false
  /// Whether the store was changed by another process and reading the changes failed.
  private var isUnread = false
  /// The keys that the current save has assigned.
  private var givenKeys: Set<Int64> = []
  /// The keys of the references that a migrated store's objects keep.
  private var keptKeys: Set<Int64> = []
  /// The highest number that is used as a reference in the loaded data, by the index of the root
  /// entity; only for those computed so far.
  private var loadedNumbers: [Int: Int64] = [:]
  /// The highest number assigned to new or migrated objects, saved or not, by the index of the root
  /// entity.
  private var givenNumbers: [Int: Int64] = [:]
  /// The members of to-many relationships in the current contents.
  private var members: InMemoryMembers?
  /// The positions in ordered relationships in the current contents.
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

  /// The node of an object; nil if the object does not exist.
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
        "\(node.objectID) is not an object of this store.")
      node.rows = self
      require(
        nodes.updateValue(node, forKey: node.objectID.key) == nil,
        "There is a node for \(node.objectID) already.")
      pack(node)
    }
  }

  /// Adds an object without a node, and takes ownership of its row.
  func add(_ id: ManagedObjectID, _ row: PackedRow, _ lists: [CustomStore.List]) throws {
    guard loading != nil else { fatalError("Rows are added while a store loads.") }
    do {
      try loading?.add(id.key, id.binding, row, line: 1)
    } catch {
      throw store.invalid(error.reason)
    }
    for list in lists { loading?.add(list.members[...], of: list.toMany) }
  }

  /// Packs a node's values until the store has loaded; values that do not fit the model, and nodes
  /// with to-many values, are left as they are until then.
  private func pack(_ node: AtomicStoreCacheNode) {
    guard let values = node.propertyCache,
      let lists = try? store.fill(&draft, of: node.objectID.binding, with: values), lists.isEmpty
    else { return }
    node.pack(draft.makeRow())
  }

  /// The values in a row, without to-many relationships.
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

  /// The members of an object's to-many; nil if it has none.
  func members(of toMany: EntityBinding.ToMany, owner: Int64) -> [ManagedObjectID]? {
    let known = members ?? InMemoryMembers(contents, store: self)
    members = known
    let found = known.of(toMany, owner: owner).compactMap { store.objectID(of: $0.key) }
    return found.isEmpty ? nil : found
  }

  /// The position of an object in the ordered inverse of a to-one; nil if it has none.
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

  /// Loads the store and creates rows from its nodes.
  ///
  /// Unchanged rows keep their lock counts.
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

  /// Adds the rows of the nodes and assembles the contents.
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
    // Until the changed data can be read, every attempt to write over them must fail.
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
        "it returned a new \(insert.entity.name) the reference \(reference), which another one has")
    }
    return key
  }

  private func newKey(for insert: SaveRequest.Insert) throws -> Int64 {
    let reference = try store.newReferenceObject(for: store.snapshot(of: insert))
    noteGiven(reference, of: insert.entity)
    return store.references.key(of: reference, entity: insert.entity.index)
  }

  /// The key of an object that keeps its reference from another version of the store.
  func keep(_ reference: ReferenceObject, of entity: EntityBinding) -> Int64 {
    let key = store.references.key(of: reference, entity: entity.index)
    keptKeys.insert(key)
    noteGiven(reference, of: entity)
    return key
  }

  /// Reserves a number, so that no other object gets it even if this one is never saved or the
  /// store is reloaded.
  private func noteGiven(_ reference: ReferenceObject, of entity: EntityBinding) {
    guard let number = reference.number else { return }
    givenNumbers[entity.root] = max(givenNumbers[entity.root] ?? 0, number)
  }

  func reserveKeys(for inserts: [SaveRequest.Insert]) throws -> [Int64] {
    try followChanges()
    givenKeys = []
    // The store searches the current contents to find a number.
    var contents = contents
    return try inserts.map { try newKey(for: $0, in: &contents) }
  }

  /// The number behind the highest that an object of an entity hierarchy has, or that was set aside
  /// for one.
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if an object has the highest number there is.
  func nextNumber(of root: Int) throws -> ReferenceObject {
    let loaded =
      loadedNumbers[root]
      ?? (contents.rows[root] ?? [:]).keys.reduce(0) { highest, key in
        max(highest, store.references[key]?.reference.number ?? 0)
      }
    loadedNumbers[root] = loaded
    let highest = max(loaded, givenNumbers[root] ?? 0)
    guard highest < Int64.max else {
      throw store.invalid("an object has the highest number there is, so that none is left")
    }
    let next = highest + 1
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
    } catch PersistentStoreError.uncertain(let url, let error) {
      // It was written, so the nodes stay as they are.
      throw PersistentStoreError.uncertain(url, error)
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
