import DataModel

/// One relationship on the way from a row to others.
enum BoundStep {
  case toOne(EntityBinding.ToOne)
  /// With the place of the entity whose to-many it is.
  case toMany(EntityBinding.ToMany, entity: Int)

  /// The place of the entity it leads to.
  var destination: Int {
    switch self {
    case .toOne(let toOne): toOne.destination
    case .toMany(let toMany, _): toMany.destination
    }
  }

  var isToMany: Bool {
    if case .toMany = self { true } else { false }
  }
}

extension BoundPredicate {
  /// The ways that the condition looks along from the row that is judged.
  var ways: [[BoundStep]] {
    var finder = WayFinder()
    finder.visit(self)
    return finder.ways
  }

  /// Whether a way leads to one of some objects.
  ///
  /// - Precondition: the way has a step.
  static func leads(along way: [BoundStep], to keys: [Int64]) -> BoundPredicate {
    var levels: [BoundCollection.Level] = []
    var hops: [EntityBinding.ToOne] = []
    for step in way {
      switch step {
      case .toOne(let toOne): hops.append(toOne)
      case .toMany(let toMany, let entity):
        levels.append(
          BoundCollection.Level(
            owner: levels.count, hops: hops, toMany: toMany, entity: entity,
            member: levels.count + 1))
        hops = []
      }
    }
    let path = hops.last.map { BoundKeyPath(hops: hops.dropLast(), slot: $0.slot, type: nil) }
    // A way without to-manys has hops.
    guard !levels.isEmpty else { return .leads(path!, to: BoundKeys(keys)) }
    let end =
      path.map { BoundExpression.value(scope: levels.count, $0) } ?? .key(scope: levels.count)
    return .exists(
      BoundCollection(levels: levels), .oneOf(end, BoundValues(keys.map { .integer($0) })))
  }
}

/// Finds the ways in a condition.
private struct WayFinder {
  private(set) var ways: [[BoundStep]] = []
  /// The way to each row being looked at.
  private var scopes: [[BoundStep]] = [[]]

  mutating func visit(_ predicate: BoundPredicate) {
    switch predicate {
    case .constant, .selfIn: break
    case .comparison(let path, _, _), .isIn(let path, _), .leads(let path, _): add(0, path)
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
    case .aggregate(_, let members, let value), .element(let members, _, _, let value):
      visit(members) { $0.visit(value) }
    case .conditional(let condition, let one, let other):
      visit(condition)
      visit(one)
      visit(other)
    }
  }

  private mutating func visit(_ members: BoundCollection, _ body: (inout WayFinder) -> Void) {
    let outer = scopes.count
    for level in members.levels {
      let way =
        scopes[level.owner] + level.hops.map { .toOne($0) }
        + [.toMany(level.toMany, entity: level.entity)]
      scopes.append(way)
      ways.append(way)
      for filter in level.filters { visit(filter) }
    }
    body(&self)
    scopes.removeSubrange(outer...)
  }

  private mutating func add(_ scope: Int, _ path: BoundKeyPath) {
    if !path.hops.isEmpty { ways.append(scopes[scope] + path.hops.map { .toOne($0) }) }
  }
}
