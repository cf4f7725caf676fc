import DataModel

/// Reads from an ``IncrementalStore`` during one request, as packed rows.
///
/// Each object is requested at most once.
final class IncrementalRows {
  private let store: IncrementalStore
  private var rows: [Int64: RowReference?] = [:]
  private var lists: [List: [Int64]] = [:]
  private var draft = RowDraft()
  /// The first error in a context that cannot throw.
  private var failure: (any Error)?

  private struct List: Hashable {
    let owner: Int64
    let name: String
  }

  init(_ store: IncrementalStore) { self.store = store }

  /// Evaluates relationships between rows; errors are rethrown by `check()`.
  private(set) lazy var evaluation = RowEvaluation(
    toOne: { [unowned self] toOne, row in self.noting { try self.row(row.integer(toOne.slot))?.row }
    },
    members: { [unowned self] toMany, _, owner in
      self.noting {
        guard let id = self.store.objectID(of: owner) else { return [] }
        return try self.members(of: toMany, owner: id).compactMap { key in
          try self.row(key).map { RowEvaluation.Member(row: $0.row, key: key) }
        }
      } ?? []
    })

  private func noting<Value>(_ body: () throws -> Value?) -> Value? {
    guard failure == nil else { return nil }
    do {
      return try body()
    } catch {
      failure = error
      return nil
    }
  }

  func check() throws {
    if let failure { throw failure }
  }

  // MARK: Rows

  /// The row of an object; nil if the object does not exist.
  func row(_ key: Int64) throws -> RowReference? {
    if let known = rows[key] { return known }
    guard let id = store.objectID(of: key) else { return nil }
    var row: RowReference?
    do {
      if let node = try store.newValues(forObjectWith: id) {
        guard node.objectID == id else {
          throw store.invalid("asked for \(id), it returned \(node.objectID)")
        }
        row = try make(node)
      }
    } catch PersistentStoreError.objectNotFound(id) {
      row = nil
    }
    rows.updateValue(row, forKey: key)
    return row
  }

  /// The row of a found object; nil if it was deleted in the meantime.
  func row(_ found: IncrementalStore.Found) throws -> RowReference? {
    guard let node = found.node, rows[found.key] == nil else { return try row(found.key) }
    let row = try make(node)
    rows.updateValue(row, forKey: found.key)
    return row
  }

  /// Whether an object's row was already created.
  func has(_ key: Int64) -> Bool { rows[key] != nil }

  private func make(_ node: IncrementalStoreNode) throws -> RowReference {
    let entity = node.objectID.binding
    _ = try store.fill(&draft, of: entity, with: node.values)
    for toOne in entity.toOnes
    where toOne.slot < entity.storedSlotCount && node.values[toOne.description.name] == nil {
      if let id = try destination(of: toOne, from: node.objectID) {
        try store.set(toOne, to: id, of: entity, in: &draft)
      }
    }
    let row = draft.makeRow()
    row.version = store.versions.inRow(node.version, of: node.objectID.key)
    return RowReference(row, of: entity)
  }

  // MARK: Relationships

  private func destination(
    of toOne: EntityBinding.ToOne, from id: ManagedObjectID
  ) throws -> ManagedObjectID? {
    switch try store.newValue(forRelationship: toOne.description, forObjectWith: id) {
    case nil, .null: return nil
    case .toOne(let destination): return destination
    case let other?:
      throw store.invalid(
        "it returned \(other.kind) for \(id.binding.name).\(toOne.description.name), which is a to-one"
      )
    }
  }

  /// The members of an object's to-many, in order if it is ordered.
  func members(of toMany: EntityBinding.ToMany, owner: ManagedObjectID) throws -> [Int64] {
    let list = List(owner: owner.key, name: toMany.description.name)
    if let known = lists[list] { return known }
    let members: [Int64]
    switch try store.newValue(forRelationship: toMany.description, forObjectWith: owner) {
    case .toMany(let ids):
      var seen: Set<Int64> = []
      members = try ids.map {
        try store.key(of: $0, as: toMany.destination, owner.binding, list.name)
      }
      .filter { seen.insert($0).inserted }
    case nil, .null: members = try membersReferringBack(by: toMany, to: owner)
    case let other?:
      throw store.invalid(
        "it returned \(other.kind) for \(owner.binding.name).\(list.name), which is a to-many")
    }
    lists[list] = members
    return members
  }

  /// The objects whose to-one refers to an owner.
  private func membersReferringBack(
    by toMany: EntityBinding.ToMany, to owner: ManagedObjectID
  ) throws -> [Int64] {
    guard case .foreignKey(let slot) = toMany.storage,
      let toOne = store.binding(at: toMany.destination).toOnesBySlot[slot]
    else { return [] }
    var plan = FetchPlan(entity: store.binding(at: toMany.destination))
    plan.predicate = .relationship(
      BoundKeyPath(hops: [], slot: slot, type: nil), isIn: BoundKeys([owner.key]))
    plan.unbound = UnboundFetch(
      predicate: .relationship(toOne.description.name, isIn: [owner]), sortDescriptors: [])
    return try store.found(plan, self).map(\.key)
  }
}

@available(*, unavailable) extension IncrementalRows: Sendable {}
