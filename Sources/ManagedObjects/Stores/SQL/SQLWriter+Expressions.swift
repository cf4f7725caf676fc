import DataModel

extension SQLWriter {
  /// An expression that yields one value, or NULL.
  mutating func sql(_ expression: BoundExpression) -> String {
    deeper { $0.whole(expression) }
  }

  private mutating func whole(_ expression: BoundExpression) -> String {
    switch expression {
    case .constant(nil): return "NULL"
    case .constant(let value?):
      values.append(.scalar(value))
      return "?"
    case .key(let scope): return "\(scopes[scope].alias).Z_PK"
    case .value(let scope, let path):
      let column = column(scope, path)
      // A server has no external files, and therefore no prefix before the bytes.
      guard dialect.isSQLite, isExternal(scope, path) else { return column }
      needsFunctions = true
      return "Z_EXTERNAL(\(column))"
    case .function(let function, let arguments):
      needsFunctions = true
      let inner = function.chain(arguments).map { operand($0) }.joined(separator: ", ")
      return "\(function.sqlName)(\(inner))"
    case .folded(let text, let options):
      needsFunctions = true
      return "Z_FOLD(\(sql(text)), \(options.rawValue))"
    case .aggregate(let aggregate, let members, let value):
      if aggregate.sqlName.hasPrefix("Z_") { needsFunctions = true }
      let rows = subselect(members) { writer in
        aggregate == .count
          ? ("count(*)", nil) : ("\(aggregate.sqlName)(\(writer.operand(value)))", nil)
      }
      return "(\(rows))"
    case .conditional(let condition, let one, let other):
      let when = self.condition(condition)
      return "CASE WHEN \(when) THEN \(operand(one)) ELSE \(operand(other)) END"
    case .element(let members, let fromEnd, let index, let value):
      let rows = subselect(members, order: fromEnd ? " DESC" : "") { ($0.operand(value), nil) }
      values.append(.key(Int64(index)))
      return "(\(rows) LIMIT 1 OFFSET ?)"
    }
  }

  /// An operand of a function, converted to REAL if the model declares a floating-point type:
  /// SQLite may store 2.0 as 2.
  private mutating func operand(_ expression: BoundExpression) -> String {
    let inner = sql(expression)
    return expression.isReal ? "CAST(\(inner) AS REAL)" : inner
  }

  /// Whether the column's values have a prefix and may be in external files.
  private func isExternal(_ scope: Int, _ path: BoundKeyPath) -> Bool {
    let entity = path.hops.last?.destination ?? scopes[scope].entity
    return bindings[entity - offset].kinds[path.slot] == .external
  }
}

extension BoundExpression {
  /// Whether the model declares the value as a floating-point number.
  fileprivate var isReal: Bool {
    switch self {
    case .value(_, let path): path.type.map { SlotKind($0) == .real } ?? false
    case .aggregate(.minimum, _, let value), .aggregate(.maximum, _, let value): value.isReal
    case .constant, .key, .function, .folded, .aggregate, .conditional, .element: false
    }
  }
}

extension AggregateFunction {
  /// SQLite's own functions if they suffice; this library's sums are exact in any order.
  var sqlName: String {
    switch self {
    case .count: "count"
    case .sum: "Z_SUM"
    case .average: "Z_AVG"
    case .minimum: "min"
    case .maximum: "max"
    case .median: "Z_MEDIAN"
    case .standardDeviation: "Z_STDDEV"
    }
  }
}

extension FetchExpression.Function {
  /// The arguments of one call in place of nested ones: for `a + b + c` all three.
  ///
  /// SQLite accepts at most 127 arguments.
  fileprivate func chain(_ arguments: [BoundExpression]) -> [BoundExpression] {
    guard arguments.count == 2 else { return arguments }
    var reversed = [arguments[1]]
    var first = arguments[0]
    while reversed.count < 100, case .function(self, let inner) = first, inner.count == 2 {
      reversed.append(inner[1])
      first = inner[0]
    }
    return [first] + reversed.reversed()
  }

  /// The name of the function in SQL.
  var sqlName: String {
    // `allCases` contains every case.
    "Z_F\(Self.allCases.firstIndex(of: self)!)"
  }
}
