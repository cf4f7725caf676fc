import Foundation
import TestSupport

@testable import ManagedObjects

/// Random predicates that fit a random model.
struct RandomModelPredicate {
  let model: RandomModel
  let bindings: [EntityBinding]
  var random: SeededGenerator
  private var variableCount = 0

  init(_ model: RandomModel, bindings: [EntityBinding], seed: UInt64) {
    self.model = model
    self.bindings = bindings
    random = SeededGenerator(seed: seed)
  }

  /// Where a key path can start: the object evaluated, and the variables of enclosing subqueries.
  typealias Starts = [(FetchExpression, EntityBinding)]

  mutating func predicate(_ starts: Starts, depth: Int) -> FetchPredicate {
    switch Int.random(in: depth > 0 ? 0..<14 : 6..<14, using: &random) {
    case 0: return .all([predicate(starts, depth: depth - 1), predicate(starts, depth: depth - 1)])
    case 1: return .any([predicate(starts, depth: depth - 1), predicate(starts, depth: depth - 1)])
    case 2: return .not(predicate(starts, depth: depth - 1))
    case 3, 4, 5:
      guard let (members, inner) = subquery(starts, depth: depth) else { break }
      return .compare(
        .init(members.property("@count"), pick(Self.orders), .constant(.integer(Int64(inner % 3)))))
    case 6, 7, 8: if let any = quantified(starts) { return any }
    case 9:
      guard let (path, destination) = manyObjects(starts), let other = object(starts, destination)
      else { break }
      return Bool.random(using: &random)
        ? .compare(.init(other, .in, path)) : .compare(.init(path, .contains, other))
    case 10:
      if let (one, other) = objects(starts) {
        return .compare(.init(one, pick([.equal, .notEqual]), other))
      }
    default: break
    }
    let kind = pick([0, 0, 0, 1, 1, 2])
    return condition(value(kind, starts, depth: 2), kind, starts, .direct)
  }

  /// A condition on a value of some type: numbers, texts, bytes.
  private mutating func condition(
    _ left: FetchExpression, _ kind: Int, _ starts: Starts, _ modifier: FetchPredicate.Modifier
  ) -> FetchPredicate {
    func made(
      _ how: FetchPredicate.Operator, _ right: FetchExpression,
      _ options: FetchPredicate.Options = []
    ) -> FetchPredicate {
      .compare(.init(left, how, right, modifier: modifier, options: options))
    }
    let options = kind == 1 ? pick(Self.options) : []
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return made(
        .in,
        .aggregate(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in value(kind, starts, depth: 0) }),
        options)
    case 1:
      return made(
        .between, .aggregate([value(kind, starts, depth: 0), value(kind, starts, depth: 1)]),
        options)
    case 2, 3:
      guard kind == 1 else { break }
      return made(
        pick([.beginsWith, .endsWith, .contains, .like]),
        Int.random(in: 0..<4, using: &random) == 0
          ? value(1, starts, depth: 0) : .constant(.string(pick(["", "a", "A", "ä", "*b", "?"]))),
        options)
    case 4: return made(pick([.equal, .notEqual]), .constant(nil))
    default: break
    }
    return made(pick(Self.orders), value(kind, starts, depth: 1), options)
  }

  private mutating func value(_ kind: Int, _ starts: Starts, depth: Int) -> FetchExpression {
    if kind == 0, depth > 0 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let function = pick([
          FetchExpression.Function.add, .subtract, .multiply, .divide, .modulus, .bitwiseAnd,
          .shiftLeft, .power,
        ])
        return .function(
          function, [value(0, starts, depth: depth - 1), value(0, starts, depth: depth - 1)])
      case 2:
        return .function(
          pick([.abs, .ceiling, .floor, .trunc, .sqrt, .naturalLogarithm, .logarithm, .exponential]
          ),
          [value(0, starts, depth: depth - 1)])
      case 3: return .function(.length, [value(pick([1, 2]), starts, depth: 0)])
      case 4, 5: if let members = aggregate(starts) { return members }
      default: break
      }
    }
    if depth > 0, Int.random(in: 0..<10, using: &random) == 0,
      let all = ofAllObjects(kind, starts)
    {
      return all
    }
    if depth > 0, Int.random(in: 0..<6, using: &random) == 0 {
      return .conditional(
        condition(value(0, starts, depth: 0), 0, starts, .direct),
        value(kind, starts, depth: depth - 1), value(kind, starts, depth: depth - 1))
    }
    if depth > 0, Int.random(in: 0..<4, using: &random) == 0, let element = element(kind, starts) {
      return element
    }
    if kind == 1, depth > 0, Int.random(in: 0..<4, using: &random) == 0 {
      return .function(pick([.lowercase, .uppercase]), [value(1, starts, depth: 0)])
    }
    if Int.random(in: 0..<3, using: &random) > 0, let path = attribute(kind, starts) { return path }
    let type = pick(Self.types[kind])
    return .constant(Int.random(in: 0..<9, using: &random) == 0 ? nil : pick(model.values[type]!))
  }

  // MARK: Key paths

  /// A key path through to-ones from one of the starts.
  private mutating func way(_ starts: Starts) -> (FetchExpression, EntityBinding) {
    var (path, entity) = pick(starts)
    while Int.random(in: 0..<3, using: &random) == 0,
      let toOne = entity.toOnes.randomElement(using: &random)
    {
      path = path.property(toOne.description.name)
      entity = bindings[toOne.destination]
    }
    return (path, entity)
  }

  private mutating func attribute(_ kind: Int, _ starts: Starts) -> FetchExpression? {
    let (path, entity) = way(starts)
    return attribute(kind, of: entity).map { path.property($0) }
  }

  private mutating func attribute(_ kind: Int, of entity: EntityBinding) -> String? {
    let names = entity.slots.compactMap { slot -> String? in
      guard case .attribute(let attribute) = slot, Self.types[kind].contains(attribute.type) else {
        return nil
      }
      return attribute.name
    }
    return names.randomElement(using: &random)
  }

  private mutating func manyObjects(_ starts: Starts) -> (FetchExpression, EntityBinding)? {
    var (path, entity) = way(starts)
    for _ in 0..<pick([1, 1, 1, 2]) {
      guard let toMany = entity.toManys.randomElement(using: &random) else { return nil }
      path = path.property(toMany.description.name)
      entity = bindings[toMany.destination]
    }
    return (path, entity)
  }

  private mutating func aggregate(_ starts: Starts) -> FetchExpression? {
    guard let (path, entity) = manyObjects(starts) else { return nil }
    let operation = pick(["@count", "@sum", "@avg", "@min", "@max", "@median", "@stddev"])
    guard operation != "@count" else { return path.property(operation) }
    return attribute(0, of: entity).map { path.property("\(operation).\($0)") }
  }

  /// A value of all objects of the entity, where it does not matter of which subentities they are.
  private mutating func ofAllObjects(_ kind: Int, _ starts: Starts) -> FetchExpression? {
    let entity = starts[0].1
    guard entity.family == [entity.root], let name = attribute(kind, of: entity) else { return nil }
    let operation =
      kind == 0 ? pick(["@sum", "@avg", "@min", "@max", "@median"]) : pick(["@min", "@max"])
    return .keyPath("\(operation).\(name)")
  }

  /// A value of one member of an ordered to-many.
  private mutating func element(_ kind: Int, _ starts: Starts) -> FetchExpression? {
    let (path, entity) = way(starts)
    let ordered = entity.toManys.filter(\.description.isOrdered)
    guard let toMany = ordered.randomElement(using: &random),
      let name = attribute(kind, of: bindings[toMany.destination])
    else { return nil }
    let members = path.property(toMany.description.name)
    return .property(of: .element(of: members, pick([.first, .last, .index(1)])), name)
  }

  private mutating func quantified(_ starts: Starts) -> FetchPredicate? {
    guard let (path, entity) = manyObjects(starts) else { return nil }
    let (tail, end) = way([(.evaluatedObject, entity)])
    let kind = pick([0, 0, 1, 1, 2])
    guard let name = attribute(kind, of: end) else { return nil }
    let names =
      if case .keyPath(let hops) = tail.kind { "\(hops).\(name)" } else { name }
    return condition(path.property(names), kind, starts, pick([.any, .all]))
  }

  private mutating func subquery(
    _ starts: Starts, depth: Int
  ) -> (FetchExpression, Int)? {
    guard let (path, entity) = manyObjects(starts) else { return nil }
    variableCount += 1
    let variable = "v\(variableCount)"
    let condition = predicate(starts + [(.variable(variable), entity)], depth: depth - 1)
    return (.subquery(path, variable: variable, condition), variableCount)
  }

  private mutating func object(_ starts: Starts, _ destination: EntityBinding) -> FetchExpression? {
    for _ in 0..<4 {
      let (path, entity) = way(starts)
      if entity.root == destination.root { return path }
    }
    return nil
  }

  private mutating func objects(_ starts: Starts) -> (FetchExpression, FetchExpression)? {
    let (one, entity) = way(starts)
    if Int.random(in: 0..<3, using: &random) == 0 { return (one, .constant(nil)) }
    return object(starts, entity).map { (one, $0) }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }

  private static let types: [[AttributeDescription.AttributeType]] = [
    [.integer64, .double, .boolean, .date, .decimal], [.string, .uri], [.uuid, .binaryData],
  ]
  private static let orders: [FetchPredicate.Operator] = [
    .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
  ]
  private static let options: [FetchPredicate.Options] = [
    [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]
}
