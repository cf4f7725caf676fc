import DataModel
import SystemLibraries

/// Implements the operations of `RowStore` with what the incremental store returns.
extension IncrementalStore: RowStore {
  /// An object that a fetch found.
  struct Found {
    /// The owner whose member it is, for a fetch of members.
    var owner: Int64 = 0
    let key: Int64
    /// Its values, if the store returned them.
    var node: IncrementalStoreNode?
  }

  var state: UInt32? { nil }
  var givesOrderKeys: Bool { false }

  func rows(for plan: FetchPlan) throws -> any RowCursor {
    notifyRegistrations()
    let rows = IncrementalRows(self)
    return IncrementalCursor(try found(plan, rows), rows, of: self, plan)
  }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    notifyRegistrations()
    let rows = IncrementalRows(self)
    try values(of: found(plan, rows), rows, expressions, body)
  }

  private func values(
    of found: [Found], _ rows: IncrementalRows, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    for found in found {
      guard let row = try rows.row(found) else { continue }
      let values = rows.evaluation.values(expressions, row.row, key: found.key)
      try rows.check()
      try body(RowIdentity(key: found.key, entity: row.entity.index), values)
    }
  }

  func dictionaries(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws -> [[String: AttributeValue]]? {
    notifyRegistrations()
    let request = request(for: plan, .dictionary)
    let result = try execute(request)
    if case .dictionaries(let dictionaries) = result { return dictionaries }
    let rows = IncrementalRows(self)
    try values(of: picked(from: result, request, plan, rows), rows, expressions, body)
    return nil
  }

  func count(_ plan: FetchPlan) throws -> Int {
    notifyRegistrations()
    let rows = IncrementalRows(self)
    guard plan.members == nil else { return try found(plan, rows).count }
    let request = request(for: plan, .count)
    let result = try execute(request)
    if case .count(let count) = result { return count }
    return try picked(from: result, request, plan, rows).count
  }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    notifyRegistrations()
    guard let id = objectID(of: key), entity.family.contains(id.binding.index),
      let row = try IncrementalRows(self).row(key)
    else { return nil }
    return (row.entity, row.row.copy(slotCount: row.entity.slotCount))
  }

  func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
    fatalError("An incremental store gives each new object an ID of its own.")
  }

  func reserveKeys(
    for inserts: [SaveRequest.Insert], of root: EntityBinding
  ) throws -> [Int64] {
    notifyRegistrations()
    return try permanentKeys(for: inserts)
  }

  func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult {
    notifyRegistrations()
    if isReadOnly { throw PersistentStoreError.readOnly(urlForErrors) }
    var save = try IncrementalSave(request, to: self)
    let changes = try save.changes()
    try body()
    try execute(changes)
    return save.result
  }

  func reopening(at url: URL) throws -> () -> Void {
    throw PersistentStoreError.unsupportedOperation(type, "change its URL")
  }

  func metadata() throws -> [String: PropertyList] { metadata }

  func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    if isReadOnly { throw PersistentStoreError.readOnly(urlForErrors) }
    let before = metadata
    change(&metadata)
    do {
      try saveMetadata()
    } catch {
      metadata = before
      throw error
    }
  }

  // MARK: Finding

  /// The objects that a plan selects, in its order.
  func found(_ plan: FetchPlan, _ rows: IncrementalRows) throws -> [Found] {
    if let (toMany, owners) = plan.members {
      return try owners.sorted().flatMap { owner -> [Found] in
        guard let id = objectID(of: owner) else { return [] }
        return try rows.members(of: toMany, owner: id).map { Found(owner: owner, key: $0) }
      }
    }
    if case .object(let keys)? = plan.predicate {
      // Objects known by ID need no search.
      let known = keys.keys.compactMap { objectID(of: $0) }
      let there = try known.filter { try rows.row($0.key) != nil }
      let request = StoreFetchRequest(entity: plan.entity.description)
      return try picked(from: .objectIDs(there), request, plan, rows)
    }
    let request = request(for: plan, plan.keysOnly ? .managedObjectID : .managedObject)
    return try picked(from: execute(request), request, plan, rows)
  }

  /// The fetch request that a plan corresponds to.
  ///
  /// Has no predicate if only the library can evaluate it.
  private func request(
    for plan: FetchPlan, _ type: FetchRequestDescription.ResultType
  ) -> StoreFetchRequest {
    var request = StoreFetchRequest(entity: plan.entity.description)
    request.includesSubentities = plan.includesSubentities
    request.resultType = type
    if plan.predicate != nil { request.predicate = plan.unbound?.predicate }
    if !plan.sorts.isEmpty { request.sortDescriptors = plan.unbound?.sortDescriptors ?? [] }
    if plan.predicate == nil || request.predicate != nil,
      plan.sorts.isEmpty || !request.sortDescriptors.isEmpty
    {
      (request.fetchLimit, request.fetchOffset) = (plan.limit, plan.offset)
    }
    guard type == .dictionary, let dictionaries = plan.unbound?.dictionaries else { return request }
    request.propertiesToFetch = dictionaries.propertiesToFetch
    request.propertiesToGroupBy = dictionaries.propertiesToGroupBy
    request.havingPredicate = dictionaries.havingPredicate
    request.returnsDistinctResults = dictionaries.returnsDistinctResults
    (request.fetchLimit, request.fetchOffset) = (dictionaries.limit, dictionaries.offset)
    return request
  }

  /// Applies the parts of a request that the store has left to the library.
  private func picked(
    from result: StoreFetchResult, _ request: StoreFetchRequest, _ plan: FetchPlan,
    _ rows: IncrementalRows
  ) throws -> [Found] {
    var found: [Found]
    let applied: StoreFetchRequest.Parts
    switch result {
    case .nodes(let nodes, let parts):
      found = try nodes.compactMap { node in
        try isAskedFor(node.objectID, plan) ? Found(key: node.objectID.key, node: node) : nil
      }
      applied = parts
    case .objectIDs(let ids, let parts):
      found = try ids.compactMap { try isAskedFor($0, plan) ? Found(key: $0.key) : nil }
      applied = parts
    case .count: throw invalid("asked for objects, it returned a count")
    case .dictionaries: throw invalid("asked for objects, it returned dictionaries")
    }
    var seen: Set<Int64> = []
    found.removeAll { !seen.insert($0.key).inserted }
    let isFiltered =
      plan.predicate == nil || request.predicate != nil && applied.contains(.predicate)
    let isSorted =
      plan.sorts.isEmpty
      || !request.sortDescriptors.isEmpty && applied.contains(.sortDescriptors)
    if !isFiltered, let predicate = plan.predicate {
      found = try found.filter { found in
        guard let row = try rows.row(found) else { return false }
        let holds = rows.evaluation.holds(predicate, row.row, key: found.key)
        try rows.check()
        return holds
      }
    }
    if !isSorted { found = try sorted(found, by: plan.sorts, rows) }
    // For dictionaries of grouped rows, offset and limit are applied when they are created.
    guard plan.limit > 0 || plan.offset > 0, !(isFiltered && isSorted && applied.contains(.range))
    else { return found }
    let rest = found.dropFirst(plan.offset)
    return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
  }

  /// Whether an object that the store returned matches the fetched entity.
  ///
  /// - Throws: `PersistentStoreError.invalidStore` if the object cannot belong to the result.
  private func isAskedFor(_ id: ManagedObjectID, _ plan: FetchPlan) throws -> Bool {
    guard id.binding.store === identity, !id.isTemporaryID else {
      throw invalid("it returned \(id), which is not an object of it")
    }
    guard plan.entity.family.contains(id.binding.index) else {
      throw invalid("asked for \(plan.entity.name), it returned \(id)")
    }
    return plan.includesSubentities || id.binding === plan.entity
  }

  private func sorted(
    _ found: [Found], by sorts: [BoundSort], _ rows: IncrementalRows
  ) throws -> [Found] {
    let there = try found.compactMap { found in
      try rows.row(found).map { (found: found, row: $0.row) }
    }
    let lookup = rows.evaluation.toOne
    let order = there.indices.sorted { one, other in
      sorts.areInOrder(there[one].row, there[other].row, lookup: lookup) ?? (one < other)
    }
    try rows.check()
    return order.map { there[$0].found }
  }

  // MARK: Keys

  /// The permanent keys that the store assigns to new objects.
  func permanentKeys(for inserts: [SaveRequest.Insert]) throws -> [Int64] {
    guard !inserts.isEmpty else { return [] }
    let ids = try obtainPermanentIDs(for: inserts.map { snapshot(of: $0) })
    guard ids.count == inserts.count else {
      throw invalid("asked for \(inserts.count) permanent IDs, it returned \(ids.count)")
    }
    var seen: Set<Int64> = []
    for (insert, id) in zip(inserts, ids) {
      guard id.binding === insert.entity, !id.isTemporaryID else {
        throw invalid("asked for the ID of a new \(insert.entity.name), it returned \(id)")
      }
      guard seen.insert(id.key).inserted else { throw invalid("it returned the ID \(id) twice") }
    }
    return ids.map(\.key)
  }
}

/// A cursor over objects of an incremental store.
private final class IncrementalCursor: RowCursor {
  private let found: [IncrementalStore.Found]
  private let rows: IncrementalRows
  private let store: IncrementalStore
  /// The to-one by which members refer to their owner.
  private var inverseToOne: EntityBinding.ToOne?
  private var index = -1

  init(
    _ found: [IncrementalStore.Found], _ rows: IncrementalRows, of store: IncrementalStore,
    _ plan: FetchPlan
  ) {
    self.found = found
    self.rows = rows
    self.store = store
    if let toMany = plan.members?.toMany, case .foreignKey(let slot) = toMany.storage {
      inverseToOne = plan.entity.toOnesBySlot[slot]
    }
  }

  func next() -> Bool {
    index += 1
    return index < found.count
  }
  var key: Int64 { found[index].key }
  // Every found object belongs to this store.
  var entity: Int { store.references[key]!.entity }
  var owner: Int64 { found[index].owner }
  var hasValuesInMemory: Bool { found.allSatisfy { $0.node != nil || rows.has($0.key) } }

  func makeRow() throws -> PackedRow {
    guard let held = try rows.row(found[index]) else {
      throw PersistentStoreError.objectNotFound(
        ManagedObjectID(binding: store.binding(at: entity), key: key))
    }
    let row = held.row.copy(slotCount: held.entity.slotCount)
    // A member refers to its owner, whether or not its node contains the to-one.
    if let inverseToOne, !row.hasValue(inverseToOne.slot), let owner = store.references[owner] {
      row.setBits(UInt64(bitPattern: found[index].owner), inverseToOne.slot)
      if let slot = inverseToOne.entitySlot {
        row.setBits(UInt64(store.binding(at: owner.entity).number), slot)
      }
    }
    return row
  }
}
