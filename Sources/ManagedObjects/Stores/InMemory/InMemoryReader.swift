import DataModel

/// A snapshot of an in-memory store's contents, unaffected by later saves.
struct InMemoryReader: ReadableStore {
  private typealias StoredRow = InMemoryStore.StoredRow

  private let contents: InMemoryStore.Contents
  private let lists: InMemoryLists
  private let store: InMemoryStore

  /// - Parameter lists: the cache that belongs to the contents.
  init(_ contents: InMemoryStore.Contents, _ lists: InMemoryLists, store: InMemoryStore) {
    self.contents = contents
    self.lists = lists
    self.store = store
  }

  func rows(for plan: FetchPlan) throws -> any RowCursor {
    if let link = plan.link {
      return Cursor(
        link.owners.sorted().flatMap { owner in
          members(of: owner, at: link.end, entity: plan.entity).map { (owner, $0.key, $0.stored) }
        })
    }
    if let members = members(plan) { return Cursor(members) }
    return Cursor(found(plan, rowEvaluation()))
  }

  /// The members of a list, if they can be found without scanning all rows.
  private func members(_ plan: FetchPlan) -> [Cursor.Found]? {
    guard let (toMany, owners) = plan.members, owners.count == 1, plan.limit == 0, plan.offset == 0,
      let members = lists.members(of: toMany, owner: owners[0], in: contents, store)
    else { return nil }
    let rows = contents.rows[plan.entity.root] ?? [:]
    return members.compactMap { member in rows[member.key].map { (0, member.key, $0) } }
  }

  func values(
    _ plan: FetchPlan, _ expressions: [BoundExpression],
    _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
  ) throws {
    let evaluation = rowEvaluation()
    for (_, key, stored) in found(plan, evaluation) {
      try body(
        RowIdentity(key: key, entity: stored.entity.index),
        evaluation.values(expressions, stored.row, key: key))
    }
  }

  private func found(_ plan: FetchPlan, _ evaluation: RowEvaluation) -> [Cursor.Found] {
    let family = plan.family
    let lookup = evaluation.toOne
    let found = (contents.rows[plan.entity.root] ?? [:])
      .filter { key, stored in
        family.contains(stored.entity.index)
          && plan.predicate.map { evaluation.holds($0, stored.row, key: key) } ?? true
      }
      .sorted {
        plan.sorts.areInOrder(($0.value.row, $0.key), ($1.value.row, $1.key), lookup: lookup)
      }
      .dropFirst(plan.offset)
    let bounded = plan.limit > 0 ? found.prefix(plan.limit) : found
    return bounded.map { (0, $0.key, $0.value) }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    var plan = plan
    plan.sorts = []
    let cursor = try rows(for: plan)
    var count = 0
    while try cursor.next() { count += 1 }
    return count
  }

  /// Evaluates relationships between rows.
  private func rowEvaluation() -> RowEvaluation {
    let members = InMemoryMembers(contents, store: store)
    return RowEvaluation(
      toOne: { [contents, store] toOne, row in
        contents.rows[store.binding(at: toOne.destination).root]?[row.integer(toOne.slot)]?.row
      }, members: { toMany, _, key in members.of(toMany, owner: key) })
  }

  private func members(
    of owner: Int64, at end: EntityBinding.JoinEnd, entity: EntityBinding
  ) -> [(key: Int64, stored: StoredRow)] {
    (contents.links[end.join] ?? [:])
      .filter { (end.isFirst ? $0.key.first : $0.key.second) == owner }
      .compactMap { ends, order -> (order: Int64, key: Int64, stored: StoredRow)? in
        let key = end.isFirst ? ends.second : ends.first
        guard let stored = contents.rows[entity.root]?[key] else { return nil }
        let orderKey = end.isFirst ? order.second : order.first
        return (orderKey ?? Int64(stored.entity.number), key, stored)
      }
      .sorted { ($0.order, $0.key) < ($1.order, $1.key) }
      .map { ($0.key, $0.stored) }
  }

  func row(
    _ key: Int64, of entity: EntityBinding
  ) throws -> (entity: EntityBinding, row: PackedRow)? {
    guard let stored = contents.rows[entity.root]?[key],
      entity.family.contains(stored.entity.index)
    else { return nil }
    return (stored.entity, stored.row.copy(slotCount: stored.entity.slotCount))
  }

  func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
    let cursor = try rows(for: FetchPlan(lookingUp: value, at: slot, of: entity))
    guard try cursor.next() else { return nil }
    return (cursor.key, store.binding(at: cursor.entity), try cursor.makeRow())
  }

  func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
    nil
  }

  /// A cursor over rows that were found.
  private final class Cursor: RowCursor {
    typealias Found = (owner: Int64, key: Int64, stored: StoredRow)

    private let found: [Found]
    private var index = -1

    init(_ found: [Found]) { self.found = found }

    func next() -> Bool {
      index += 1
      return index < found.count
    }
    var owner: Int64 { found[index].owner }
    var key: Int64 { found[index].key }
    var entity: Int { found[index].stored.entity.index }
    func makeRow() -> PackedRow {
      let stored = found[index].stored
      return stored.row.copy(slotCount: stored.entity.slotCount)
    }
  }
}
