extension BoundPredicate {
  /// Whether the condition uses a row of a scope before a given one.
  func looks(before scope: Int) -> Bool {
    switch self {
    case .constant: false
    // These always use the evaluated row.
    case .comparison, .isIn, .relationship, .object: scope > 0
    case .compare(let one, _, let other, _), .textOf(let one, _, let other, _):
      one.looks(before: scope) || other.looks(before: scope)
    case .oneOf(let value, _), .text(let value, _): value.looks(before: scope)
    case .exists(let members, let condition):
      members.looks(before: scope) || condition.looks(before: scope)
    case .all(let parts), .any(let parts): parts.contains { $0.looks(before: scope) }
    case .not(let part): part.looks(before: scope)
    }
  }
}

extension BoundExpression {
  fileprivate func looks(before scope: Int) -> Bool {
    switch self {
    case .constant: false
    case .value(let own, _), .key(let own): own < scope
    case .function(_, let arguments): arguments.contains { $0.looks(before: scope) }
    case .folded(let text, _): text.looks(before: scope)
    case .aggregate(_, let members, let value), .element(let members, _, _, let value):
      members.looks(before: scope) || value.looks(before: scope)
    case .conditional(let condition, let one, let other):
      condition.looks(before: scope) || one.looks(before: scope) || other.looks(before: scope)
    }
  }
}

extension BoundCollection {
  fileprivate func looks(before scope: Int) -> Bool {
    levels.contains { level in
      level.owner < scope || level.filters.contains { $0.looks(before: scope) }
    }
  }

  /// Whether the conditions on the members use no row outside of the collection.
  func areJudgedAlone(by condition: BoundPredicate) -> Bool {
    let conditions = levels.flatMap(\.filters) + [condition]
    return levels.first.map { first in !conditions.contains { $0.looks(before: first.member) } }
      ?? true
  }
}
