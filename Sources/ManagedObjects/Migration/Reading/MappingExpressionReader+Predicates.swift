import DataFormats
import DataModel

/// Reading archived predicates of conditions and subqueries.
extension MappingExpressionReader {
  /// `TERNARY(condition, one, other)`.
  mutating func conditional(
    _ object: KeyedArchive.Object
  ) throws(Problem) -> FetchExpression {
    .conditional(
      try predicate(object.object("NSPredicate")),
      try expression(object.object("NSTrueExpression")),
      try expression(object.object("NSFalseExpression")))
  }

  /// `SUBQUERY(members, $variable, condition)`.
  mutating func subquery(_ object: KeyedArchive.Object) throws(Problem) -> FetchExpression {
    let members = try expression(object.object("NSExpression"))
    let name = object.text("NSVariable") ?? object.object("NSVariable")?.text("NSVariable") ?? ""
    guard !name.isEmpty, variables.insert(name).inserted else {
      throw Problem("has a subquery with the variable $\(name)")
    }
    defer { variables.remove(name) }
    return .subquery(
      members, variable: name, try predicate(object.object("NSSubpredicate")))
  }

  private mutating func predicate(
    _ object: KeyedArchive.Object?
  ) throws(Problem) -> FetchPredicate {
    try enter()
    defer { leave() }
    switch object?.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": if let object { return try compound(object) }
    case "NSComparisonPredicate": if let object { return try comparison(object) }
    default: break
    }
    throw Problem("has a predicate of the class \(object?.className ?? "nil")")
  }

  private mutating func compound(
    _ object: KeyedArchive.Object
  ) throws(Problem) -> FetchPredicate {
    var parts: [FetchPredicate] = []
    for value in object.members("NSSubpredicates") {
      parts.append(try predicate(object.object(of: value)))
    }
    switch object.integer("NSCompoundPredicateType") {
    case 0 where parts.count == 1: return .not(parts[0])
    case 1: return .all(parts)
    case 2: return .any(parts)
    default: throw Problem("has a compound predicate of an unknown type")
    }
  }

  private mutating func comparison(
    _ object: KeyedArchive.Object
  ) throws(Problem) -> FetchPredicate {
    let archived = object.object("NSPredicateOperator")
    let options = archived?.integer("NSOptions") ?? archived?.integer("NSFlags") ?? 0
    guard let type = archived?.integer("NSOperatorType"), let how = Self.operators[type],
      let modifier = Self.modifiers[archived?.integer("NSModifier") ?? 0],
      let bits = UInt8(exactly: options), bits < 8
    else { throw Problem("has a comparison of an unknown type") }
    return .compare(
      FetchPredicate.Comparison(
        try expression(object.object("NSLeftExpression")), how,
        try expression(object.object("NSRightExpression")), modifier: modifier,
        options: FetchPredicate.Options(rawValue: bits)))
  }

  private mutating func expression(
    _ object: KeyedArchive.Object?
  ) throws(Problem) -> FetchExpression {
    guard let object else { throw Problem("is incomplete") }
    return try expression(object)
  }

  /// The operators by the numbers of `NSComparisonPredicate.Operator`.
  private static let operators: [Int64: FetchPredicate.Operator] = [
    0: .lessThan, 1: .lessThanOrEqual, 2: .greaterThan, 3: .greaterThanOrEqual, 4: .equal,
    5: .notEqual, 6: .matches, 7: .like, 8: .beginsWith, 9: .endsWith, 10: .in, 99: .contains,
    100: .between,
  ]

  /// The modifiers by the numbers of `NSComparisonPredicate.Modifier`.
  private static let modifiers: [Int64: FetchPredicate.Modifier] = [
    0: .direct, 1: .all, 2: .any,
  ]
}
