import DataModel

/// A value to bind.
enum SQLValue {
  case attribute(AttributeValue)
  case key(Int64)
}

/// Writes bound predicates and sorts as SQL for one plan: the columns, the joins, the conditions.
struct SQLWriter {
  private let entity: EntityBinding
  private let schema: SQLSchema
  private let bindings: [EntityBinding]
  private let offset: Int
  private var joins: [(path: [Int], alias: String, table: String, on: String)] = []
  private(set) var values: [SQLValue] = []

  init(entity: EntityBinding, schema: SQLSchema, bindings: [EntityBinding]) {
    self.entity = entity
    self.schema = schema
    self.bindings = bindings
    offset = bindings[0].index
  }

  /// The whole statement for a plan, with the columns given.
  mutating func select(_ columns: [String], for plan: FetchPlan) -> String {
    var conditions: [String] = []
    let family = plan.includesSubentities ? entity.family : [entity.index]
    if entity.root != entity.index || family.count < rootFamilySize {
      let numbers = family.map { String(bindings[$0 - offset].number) }.joined(separator: ", ")
      conditions.append("t0.Z_ENT IN (\(numbers))")
    }
    if let predicate = plan.predicate { conditions.append(condition(predicate)) }
    var orders = plan.sorts.map { sort in
      column(sort.keyPath) + (sort.order.collation.map { " COLLATE " + $0 } ?? "")
        + (sort.isAscending ? "" : " DESC")
    }
    if !plan.isUnordered { orders.append("t0.Z_PK") }
    if let link = plan.link {
      let names = schema.joins[link.end.join]
      let order = link.end.isFirst ? names.secondOrder : names.firstOrder
      let owner = "j.\((link.end.isFirst ? names.firstKey : names.secondKey).quoted)"
      let isOne = link.owners.count == 1
      conditions.insert(
        isOne
          ? owner + " = ?"
          : "\(owner) IN (\(link.owners.map(String.init).joined(separator: ", ")))",
        at: 0)
      if isOne { values.insert(.key(link.owners[0]), at: 0) }
      orders.insert(order.map { "j.\($0.quoted)" } ?? "t0.Z_ENT", at: 0)
      if !isOne { orders.insert(owner, at: 0) }
    }
    var sql = "SELECT \(columns.map { "t0." + $0.quoted }.joined(separator: ", "))"
    if let link = plan.link, link.owners.count != 1 {
      let names = schema.joins[link.end.join]
      sql += ", j.\((link.end.isFirst ? names.firstKey : names.secondKey).quoted)"
    }
    sql += " FROM \(schema.tableNames[entity.index - offset].quoted) AS t0"
    if let link = plan.link {
      let names = schema.joins[link.end.join]
      let member = link.end.isFirst ? names.secondKey : names.firstKey
      sql += " JOIN \(names.table.quoted) AS j ON j.\(member.quoted) = t0.Z_PK"
    }
    for join in joins { sql += " LEFT JOIN \(join.table.quoted) AS \(join.alias) ON \(join.on)" }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !orders.isEmpty { sql += " ORDER BY " + orders.joined(separator: ", ") }
    if plan.limit > 0 || plan.offset > 0 {
      sql += " LIMIT \(plan.limit > 0 ? plan.limit : -1)"
      if plan.offset > 0 { sql += " OFFSET \(plan.offset)" }
    }
    return sql
  }

  private var rootFamilySize: Int {
    schema.tableNames.count { $0 == schema.tableNames[entity.index - offset] }
  }

  // MARK: Conditions

  private mutating func condition(_ predicate: BoundPredicate) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .comparison(let path, let how, let value): return comparison(path, how, value)
    case .isIn(let path, let candidates):
      guard !candidates.isEmpty else { return "0" }
      let column = column(path)
      let places = candidates.map { value in
        values.append(.attribute(value))
        return "?"
      }
      return "\(column) IN (\(places.joined(separator: ", ")))"
    case .leads(let path, let keys): return isIn(column(path), keys)
    case .selfIn(let keys): return isIn("t0.Z_PK", keys)
    case .all(let parts): return joined(parts, " AND ", ifEmpty: "1")
    case .any(let parts): return joined(parts, " OR ", ifEmpty: "0")
    // Conditions have two values, SQL's three: what is not known to be true is false.
    case .not(let part): return "NOT coalesce(\(condition(part)), 0)"
    }
  }

  private mutating func joined(
    _ parts: [BoundPredicate], _ separator: String, ifEmpty: String
  ) -> String {
    guard !parts.isEmpty else { return ifEmpty }
    guard parts.count > 100 else {
      return "(" + parts.map { condition($0) }.joined(separator: separator) + ")"
    }
    // In halves: SQLite parses a row of a thousand conditions into a tree as deep, and refuses it.
    let half = parts.count / 2
    return "(" + joined(Array(parts.prefix(half)), separator, ifEmpty: ifEmpty) + separator
      + joined(Array(parts.dropFirst(half)), separator, ifEmpty: ifEmpty) + ")"
  }

  private mutating func isIn(_ column: String, _ keys: [Int64]) -> String {
    guard keys.count != 1 else {
      values.append(.key(keys[0]))
      return "\(column) = ?"
    }
    // Keys are whole numbers of the store's own; thousands of them would exceed SQLite's places.
    return "\(column) IN (\(keys.map(String.init).joined(separator: ", ")))"
  }

  private mutating func comparison(
    _ path: BoundKeyPath, _ how: FetchPredicate.Operator, _ value: AttributeValue?
  ) -> String {
    let column = column(path)
    guard let value else {
      return switch how {
      case .equal: "\(column) IS NULL"
      case .notEqual: "\(column) IS NOT NULL"
      default: "0"
      }
    }
    values.append(.attribute(value))
    return switch how {
    case .equal: "\(column) = ?"
    case .notEqual: "\(column) IS NOT ?"
    case .lessThan: "\(column) < ?"
    case .lessThanOrEqual: "\(column) <= ?"
    case .greaterThan: "\(column) > ?"
    case .greaterThanOrEqual: "\(column) >= ?"
    default: preconditionFailure("The binder lets no other operator through.")
    }
  }

  // MARK: Columns and joins

  private mutating func column(_ path: BoundKeyPath) -> String {
    var alias = "t0"
    var place = entity.index
    var slots: [Int] = []
    for hop in path.hops {
      let from = "\(alias).\(schema.columnNames[place - offset][hop.slot].quoted)"
      slots.append(hop.slot)
      place = hop.destination
      if let join = joins.first(where: { $0.path == slots }) {
        alias = join.alias
      } else {
        alias = "t\(joins.count + 1)"
        joins.append((slots, alias, schema.tableNames[place - offset], "\(alias).Z_PK = \(from)"))
      }
    }
    return "\(alias).\(schema.columnNames[place - offset][path.slot].quoted)"
  }
}
