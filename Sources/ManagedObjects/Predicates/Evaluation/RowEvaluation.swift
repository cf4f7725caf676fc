import DataModel

/// Gives the row that a to-one of a row leads to, or nil; the to-one has a value.
typealias RowLookup = (_ toOne: EntityBinding.ToOne, _ row: PackedRow) -> PackedRow?

/// Judges rows in memory: where their relationships lead, and which rows are being looked at.
final class RowEvaluation {
  /// A row and its primary key.
  struct Member {
    let row: PackedRow
    let key: Int64
  }

  let toOne: RowLookup
  /// The members of a to-many, by the index of the owner's entity and the owner's key.
  private let members: (_ toMany: EntityBinding.ToMany, _ owner: Int, _ key: Int64) -> [Member]
  /// The row that is judged, then a member of each collection that is being gone through.
  private var scopes: [Member] = []

  init(
    toOne: @escaping RowLookup,
    members: @escaping (_ toMany: EntityBinding.ToMany, _ owner: Int, _ key: Int64) -> [Member]
  ) {
    self.toOne = toOne
    self.members = members
  }

  /// Whether a row meets a condition.
  func holds(_ predicate: BoundPredicate, _ row: PackedRow, key: Int64) -> Bool {
    scopes.removeAll(keepingCapacity: true)
    scopes.append(Member(row: row, key: key))
    return predicate.matches(self)
  }

  /// The values of some expressions for a row.
  func values(_ expressions: [BoundExpression], _ row: PackedRow, key: Int64) -> [Scalar?] {
    scopes.removeAll(keepingCapacity: true)
    scopes.append(Member(row: row, key: key))
    return expressions.map { $0.value(self) }
  }

  subscript(scope: Int) -> Member { scopes[scope] }

  /// Goes through the members of a collection, each the innermost scope meanwhile.
  ///
  /// - Parameter body: gives true to go no further.
  func visit(_ collection: BoundCollection, _ body: () -> Bool) {
    var seen: [Set<Int64>]?
    _ = visit(collection, 0, &seen, body)
  }

  /// Whether a body gives true for a member of a collection, each the innermost scope meanwhile.
  ///
  /// A member is looked at once a level, however many ways lead to it: nothing can ask for those.
  func contains(_ collection: BoundCollection, where body: () -> Bool) -> Bool {
    let count = collection.levels.count
    var seen: [Set<Int64>]? = count > 1 ? Array(repeating: [], count: count) : nil
    return visit(collection, 0, &seen, body)
  }

  /// - Parameter seen: the owners that were gone through at each level; nil where each way counts.
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
