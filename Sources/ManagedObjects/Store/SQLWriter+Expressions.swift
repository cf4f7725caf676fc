import DataModel

extension SQLWriter {
  /// An expression that gives one value, or NULL.
  mutating func sql(_ expression: BoundExpression) -> String {
    switch expression {
    case .constant(nil): return "NULL"
    case .constant(let value?):
      values.append(.scalar(value))
      return "?"
    case .key(let scope): return "\(scopes[scope].alias).Z_PK"
    case .value(let scope, let path):
      let column = column(scope, path)
      guard isExternal(scope, path) else { return column }
      needsFunctions = true
      return "Z_EXTERNAL(\(column))"
    case .function(let function, let arguments):
      needsFunctions = true
      let inner = arguments.map { operand($0) }.joined(separator: ", ")
      return "\(function.sqlName)(\(inner))"
    case .aggregate(let aggregate, let members, let value):
      if aggregate == .sum || aggregate == .average { needsFunctions = true }
      let rows = subselect(members) { writer in
        aggregate == .count
          ? ("count(*)", nil) : ("\(aggregate.sqlName)(\(writer.operand(value)))", nil)
      }
      return "(\(rows))"
    case .conditional(let condition, let one, let other):
      let when = self.condition(condition)
      return "CASE WHEN \(when) THEN \(operand(one)) ELSE \(operand(other)) END"
    case .element(let members, let fromEnd, let place, let value):
      let rows = subselect(members, order: fromEnd ? " DESC" : "") { ($0.operand(value), nil) }
      values.append(.key(Int64(place)))
      return "(\(rows) LIMIT 1 OFFSET ?)"
    }
  }

  /// A value for a function: one that the model says is a floating-point number is one, though
  /// SQLite may keep 2.0 as 2.
  private mutating func operand(_ expression: BoundExpression) -> String {
    let inner = sql(expression)
    return expression.isReal ? "CAST(\(inner) AS REAL)" : inner
  }

  /// Whether the column's bytes have a prefix and may be in a file.
  private func isExternal(_ scope: Int, _ path: BoundKeyPath) -> Bool {
    let place = path.hops.last?.destination ?? scopes[scope].entity
    return bindings[place - offset].kinds[path.slot] == .external
  }

  /// `SELECT … FROM … WHERE …` for the members of a to-many.
  ///
  /// - Parameters:
  ///   - order: `""` or `" DESC"` where the members are to come in their order; nil for any.
  ///   - body: writes what is selected of a member, which binds no values, and a condition on it; with
  ///     the members as the innermost scopes.
  mutating func subselect(
    _ members: BoundCollection, order: String? = nil,
    _ body: (inout SQLWriter) -> (selected: String, where: String?)
  ) -> String {
    let outer = scopes.count
    var tables: [String] = []
    var conditions: [String] = []
    // Of the last level; a to-many without an order is asked for none.
    var orders: [String] = []
    for level in members.levels {
      let owner = self.owner(level)
      let member = newAlias()
      tables.append(
        "\(schema.tableNames[level.toMany.destination - offset].quoted) AS \(member)")
      switch level.toMany.storage {
      case .foreignKey(let slot):
        let column = schema.columnNames[level.toMany.destination - offset][slot]
        conditions.append("\(member).\(column.quoted) = \(owner)")
        orders = ["\(member).Z_PK"]
        let destination = bindings[level.toMany.destination - offset]
        if let orderKey = destination.toOnesBySlot[slot]?.orderKeySlot {
          let column = schema.columnNames[destination.index - offset][orderKey]
          orders.insert("\(member).\(column.quoted)", at: 0)
        }
      case .join(let end):
        let names = schema.joins[end.join]
        let link = newAlias()
        tables.append("\(names.table.quoted) AS \(link)")
        let (from, to) =
          end.isFirst ? (names.firstKey, names.secondKey) : (names.secondKey, names.firstKey)
        conditions.append("\(link).\(from.quoted) = \(owner)")
        conditions.append("\(member).Z_PK = \(link).\(to.quoted)")
        let column = end.isFirst ? names.secondOrder : names.firstOrder
        orders = [column.map { "\(link).\($0.quoted)" } ?? "\(member).Z_ENT", "\(member).Z_PK"]
      case .memory: conditions.append("0")
      }
      scopes.append(Scope(alias: member, entity: level.toMany.destination))
      for filter in level.filters { conditions.append(condition(filter)) }
    }
    let (selected, condition) = body(&self)
    let inner = scopes[outer...]
    scopes.removeSubrange(outer...)
    var sql = "SELECT \(selected) FROM \(tables.joined(separator: ", "))"
    for scope in inner { sql += joins(scope) }
    if let condition { conditions.append(condition) }
    sql += " WHERE " + conditions.joined(separator: " AND ")
    guard let order else { return sql }
    return sql + " ORDER BY " + orders.map { $0 + order }.joined(separator: ", ")
  }

  /// The key of the object whose members a level has.
  private mutating func owner(_ level: BoundCollection.Level) -> String {
    guard let last = level.hops.last else { return "\(scopes[level.owner].alias).Z_PK" }
    return column(
      level.owner, BoundKeyPath(hops: level.hops.dropLast(), slot: last.slot, type: nil))
  }
}

extension BoundExpression {
  /// Whether the model says that the value is a floating-point number.
  fileprivate var isReal: Bool {
    switch self {
    case .value(_, let path): path.type.map { SlotKind($0) == .real } ?? false
    case .aggregate(.minimum, _, let value), .aggregate(.maximum, _, let value): value.isReal
    case .constant, .key, .function, .aggregate, .conditional, .element: false
    }
  }
}

extension BoundExpression.Aggregate {
  /// SQLite's own where it says what is meant; sums are exact here, in whatever order.
  fileprivate var sqlName: String {
    switch self {
    case .count: "count"
    case .sum: "Z_SUM"
    case .average: "Z_AVG"
    case .minimum: "min"
    case .maximum: "max"
    }
  }
}

extension FetchExpression.Function {
  /// The name of the function within SQL.
  var sqlName: String {
    // Every case is one of all.
    "Z_F\(Self.allCases.firstIndex(of: self)!)"
  }
}
