import DataModel

/// Returns the destination of a row's to-one, which has a value; nil if the row is missing.
typealias RowLookup = (_ toOne: EntityBinding.ToOne, _ row: PackedRow) -> PackedRow?

/// Evaluates conditions on rows in memory, with access to their relationships.
final class RowEvaluation {
  /// A row and its primary key.
  struct Member {
    let row: PackedRow
    let key: Int64
  }

  let toOne: RowLookup
  /// The members of a to-many, by the index of the owner's entity and the owner's key.
  private let members: (_ toMany: EntityBinding.ToMany, _ owner: Int, _ key: Int64) -> [Member]
  /// The evaluated row, followed by a member of each collection being visited.
  private var scopes: [Member] = []

  init(
    toOne: @escaping RowLookup,
    members: @escaping (_ toMany: EntityBinding.ToMany, _ owner: Int, _ key: Int64) -> [Member]
  ) {
    self.toOne = toOne
    self.members = members
  }

  /// Whether a row matches a condition.
  func holds(_ predicate: BoundPredicate, _ row: PackedRow, key: Int64) -> Bool {
    scopes.removeAll(keepingCapacity: true)
    scopes.append(Member(row: row, key: key))
    return predicate.matches(self)
  }

  /// The values of expressions for a row.
  func values(_ expressions: [BoundExpression], _ row: PackedRow, key: Int64) -> [Scalar?] {
    scopes.removeAll(keepingCapacity: true)
    scopes.append(Member(row: row, key: key))
    return expressions.map { $0.value(self) }
  }

  subscript(scope: Int) -> Member { scopes[scope] }

  /// Visits the members of a collection, each as the innermost scope.
  ///
  /// - Parameter body: returns true to stop.
  func visit(_ collection: BoundCollection, _ body: () -> Bool) {
    var seen: [Set<Int64>]?
    _ = visit(collection, 0, &seen, body)
  }

  /// Whether a body returns true for a member of a collection, each as the innermost scope.
  ///
  /// A member is visited only once per level, however many paths lead to it, which makes no
  /// difference here.
  func contains(_ collection: BoundCollection, where body: () -> Bool) -> Bool {
    let count = collection.levels.count
    var seen: [Set<Int64>]? = count > 1 ? Array(repeating: [], count: count) : nil
    return visit(collection, 0, &seen, body)
  }

  /// - Parameter seen: the owners visited at each level; nil if each path counts.
  private func visit(
    _ collection: BoundCollection, _ index: Int, _ seen: inout [Set<Int64>]?, _ body: () -> Bool
  ) -> Bool {
    guard index < collection.levels.count else { return body() }
    let level = collection.levels[index]
    guard let owner = owner(of: level) else { return false }
    if seen != nil, seen?[index].insert(owner).inserted == false { return false }
    for member in members(level.toMany, level.entity, owner) {
      scopes.append(member)
      defer { scopes.removeLast() }
      if level.filters.allSatisfy({ $0.matches(self) }), visit(collection, index + 1, &seen, body) {
        return true
      }
    }
    return false
  }

  private func owner(of level: BoundCollection.Level) -> Int64? {
    let start = scopes[level.owner]
    guard let last = level.hops.last else { return start.key }
    var row = start.row
    for hop in level.hops.dropLast() {
      guard row.hasValue(hop.slot), let next = toOne(hop, row) else { return nil }
      row = next
    }
    return row.hasValue(last.slot) ? row.integer(last.slot) : nil
  }
}

@available(*, unavailable) extension RowEvaluation: Sendable {}
