import DataModel

/// The destinations of rows' relationships, read one by one and cached.
///
/// Used to evaluate predicates in memory. A row that cannot be read counts as missing, and `error`
/// gives the reason.
final class RelatedRowCache {
  private struct RowKey: Hashable {
    let root: Int
    let key: Int64
  }

  fileprivate struct List: Hashable {
    let destination: Int
    /// The slot of the inverse to-one, or the index of the join.
    let index: Int
    /// Which end of the join the owner is; nil for a to-one.
    let isFirst: Bool?
    let owner: Int64
  }

  private let reader: any ReadableStore
  private let bindings: [EntityBinding]
  private(set) var error: (any Error)?
  private var rows: [RowKey: PackedRow?] = [:]
  private var lists: [List: [RowEvaluation.Member]] = [:]
  /// All cached rows, to be freed.
  private var owned: [(row: PackedRow, slotCount: Int)] = []

  init(of reader: any ReadableStore, _ bindings: [EntityBinding]) {
    self.reader = reader
    self.bindings = bindings
  }

  deinit { free() }

  private func free() {
    for (row, slotCount) in owned { row.free(slotCount: slotCount) }
    owned = []
  }

  /// Frees the cached rows if there are many; none may be used any more.
  func forgetSome() {
    guard owned.count > 10_000 else { return }
    free()
    (rows, lists) = ([:], [:])
  }

  /// The destination of a row's to-one.
  func row(behind toOne: EntityBinding.ToOne, of row: PackedRow) -> PackedRow? {
    let destination = binding(at: toOne.destination)
    let rowKey = RowKey(root: destination.root, key: row.integer(toOne.slot))
    if let known = rows[rowKey] { return known }
    let found = read { try reader.row(rowKey.key, of: destination) } ?? nil
    if let found { owned.append((found.row, found.entity.slotCount)) }
    rows[rowKey] = .some(found?.row)
    return found?.row
  }

  /// The members of a to-many, in order if it is ordered.
  func members(_ toMany: EntityBinding.ToMany, of owner: Int64) -> [RowEvaluation.Member] {
    if case .memory = toMany.storage { return [] }
    let list = List(toMany, owner: owner)
    if let known = lists[list] { return known }
    var members: [RowEvaluation.Member] = []
    read {
      let plan = FetchPlan(
        membersOf: toMany, owners: [owner], in: binding(at: toMany.destination))
      let cursor = try reader.rows(for: plan)
      while try cursor.next() {
        let row = try cursor.makeRow()
        owned.append((row, binding(at: cursor.entity).slotCount))
        members.append(RowEvaluation.Member(row: row, key: cursor.key))
      }
    }
    lists[list] = members
    return members
  }

  private func binding(at index: Int) -> EntityBinding { bindings[index - bindings[0].index] }

  @discardableResult
  private func read<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      self.error = self.error ?? error
      return nil
    }
  }
}

extension RelatedRowCache.List {
  fileprivate init(_ toMany: EntityBinding.ToMany, owner: Int64) {
    let (index, isFirst): (Int, Bool?) =
      switch toMany.storage {
      case .foreignKey(let slot): (slot, nil)
      case .join(let end): (end.join, end.isFirst)
      case .memory: (0, nil)
      }
    self.init(
      destination: toMany.destination, index: index, isFirst: isFirst, owner: owner)
  }
}

@available(*, unavailable) extension RelatedRowCache: Sendable {}
