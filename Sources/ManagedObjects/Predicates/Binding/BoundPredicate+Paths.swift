extension BoundPredicate {
  /// The relationship paths that the condition uses, from the evaluated row; none is a prefix of
  /// another.
  var relationshipPaths: [[BoundStep]] {
    var finder = PathFinder()
    finder.visit(self)
    let numbers = finder.relationshipPaths.map { $0.map(\.number) }
    var passed: Set<[Int]> = []
    for path in numbers { for count in path.indices { passed.insert(Array(path[..<count])) } }
    return zip(finder.relationshipPaths, numbers).filter { passed.insert($0.1).inserted }.map(\.0)
  }
}

/// Finds the relationship paths in a condition.
private struct PathFinder {
  private(set) var relationshipPaths: [[BoundStep]] = []
  /// The path to the row of each scope.
  private var scopes: [[BoundStep]] = [[]]

  mutating func visit(_ predicate: BoundPredicate) {
    switch predicate {
    case .constant, .object: break
    case .comparison(let path, _, _), .isIn(let path, _), .relationship(let path, _): add(0, path)
    case .compare(let one, _, let other, _), .textOf(let one, _, let other, _):
      visit(one)
      visit(other)
    case .oneOf(let value, _), .text(let value, _): visit(value)
    case .exists(let members, let condition): visit(members) { $0.visit(condition) }
    case .all(let parts), .any(let parts): for part in parts { visit(part) }
    case .not(let part): visit(part)
    }
  }

  private mutating func visit(_ expression: BoundExpression) {
    switch expression {
    case .constant, .key: break
    case .value(let scope, let path): add(scope, path)
    case .function(_, let arguments): for argument in arguments { visit(argument) }
    case .folded(let text, _): visit(text)
    case .aggregate(_, let members, let value), .element(let members, _, _, let value):
      visit(members) { $0.visit(value) }
    case .conditional(let condition, let one, let other):
      visit(condition)
      visit(one)
      visit(other)
    }
  }

  private mutating func visit(_ members: BoundCollection, _ body: (inout PathFinder) -> Void) {
    let outer = scopes.count
    for level in members.levels {
      let path =
        scopes[level.owner] + level.hops.map { .toOne($0) }
        + [.toMany(level.toMany, entity: level.entity)]
      scopes.append(path)
      relationshipPaths.append(path)
      for filter in level.filters { visit(filter) }
    }
    body(&self)
    scopes.removeSubrange(outer...)
  }

  private mutating func add(_ scope: Int, _ path: BoundKeyPath) {
    if !path.hops.isEmpty { relationshipPaths.append(scopes[scope] + path.hops.map { .toOne($0) }) }
  }
}
