import DataModel

/// Rows that are filtered and sorted in memory, for plans that the engine's SQL cannot express.
///
/// SQLite limits the parser stack, the depth of expressions and the number of joined tables;
/// PostgreSQL does not compare texts and numbers exactly as predicates do. For such plans, rows are
/// read and evaluated by the same code that evaluates predicates in memory. Without a sort only one
/// row at a time is in memory, otherwise all that are found.
final class FilteredRows: RowCursor {
  private struct Found {
    let key: Int64
    let entity: EntityBinding
    let row: PackedRow

    func free() { row.free(slotCount: entity.slotCount) }
  }

  private let predicate: BoundPredicate?
  private let bindings: [EntityBinding]
  private let rows: any RowCursor
  private let neighbours: RelatedRowCache
  private let evaluation: RowEvaluation
  /// The rows found, in reverse order, if they are sorted.
  private var sorted: [Found]?
  private var current: Found?
  private var offset: Int
  private var rest: Int

  /// - Parameters:
  ///   - reader: reads the destinations of the rows' relationships.
  ///   - candidates: returns, for the plan without the parts done here, the matching rows and
  ///     possibly others.
  init(
    _ plan: FetchPlan, of reader: any ReadableStore, _ bindings: [EntityBinding],
    among candidates: (FetchPlan) throws -> any RowCursor
  ) throws {
    self.bindings = bindings
    predicate = plan.predicate
    (offset, rest) = (plan.offset, plan.limit > 0 ? plan.limit : .max)
    var whole = plan
    (whole.limit, whole.offset, whole.sorts, whole.keysOnly) = (0, 0, [], false)
    rows = try candidates(whole)
    let neighbours = RelatedRowCache(of: reader, bindings)
    self.neighbours = neighbours
    evaluation = RowEvaluation(
      toOne: { neighbours.row(behind: $0, of: $1) }, members: { neighbours.members($0, of: $2) })
    guard !plan.sorts.isEmpty else { return }
    sorted = []
    while let next = try filterNext() { sorted?.append(next) }
    sorted?.sort { one, other in
      plan.sorts.areInOrder(
        (other.row, other.key), (one.row, one.key), lookup: evaluation.toOne)
    }
    if let error = neighbours.error { throw error }
  }

  deinit {
    current?.free()
    for found in sorted ?? [] { found.free() }
  }

  func next() throws -> Bool {
    current?.free()
    current = nil
    while rest > 0, let found = try takeNext() {
      if offset > 0 {
        offset -= 1
        found.free()
        continue
      }
      rest -= 1
      current = found
      return true
    }
    return false
  }

  private func takeNext() throws -> Found? {
    sorted == nil ? try filterNext() : sorted?.popLast()
  }

  private func filterNext() throws -> Found? {
    while try rows.next() {
      let found = Found(
        key: rows.key, entity: bindings[rows.entity - bindings[0].index], row: try rows.makeRow())
      let holds = predicate.map { evaluation.holds($0, found.row, key: found.key) } ?? true
      if holds, neighbours.error == nil { return found }
      found.free()
      if let error = neighbours.error { throw error }
      if sorted == nil { neighbours.forgetSome() }
    }
    return nil
  }

  /// The values of expressions for the current row.
  func values(_ expressions: [BoundExpression]) throws -> [Scalar?] {
    guard let current else { fatalError("There is no current row.") }
    let values = evaluation.values(expressions, current.row, key: current.key)
    if let error = neighbours.error { throw error }
    return values
  }

  var key: Int64 { current?.key ?? 0 }
  var entity: Int { current?.entity.index ?? 0 }
  // Members of several owners are never read with a predicate.
  var owner: Int64 { 0 }

  func makeRow() throws -> PackedRow {
    guard let current else { fatalError("There is no current row.") }
    return current.row.copy(slotCount: current.entity.slotCount)
  }
}

extension BoundPredicate {
  /// A weaker condition that SQL evaluates quickly; nil if there is none.
  var quickPart: BoundPredicate? {
    switch self {
    case .comparison(let path, _, _), .isIn(let path, _), .relationship(let path, _):
      path.hops.isEmpty ? self : nil
    case .object: self
    case .all(let parts):
      .all(parts.compactMap(\.quickPart))
    default: nil
    }
  }
}
