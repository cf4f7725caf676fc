import DataModel

/// A value to bind.
enum SQLValue {
  case scalar(Scalar)
  case key(Int64)
  /// Text that need not be UTF-8: a bound for texts that begin alike.
  case text([UInt8])
  /// Values for `Z_VALUES`, see `ValueList`.
  case list([Scalar])
}

/// Writes bound predicates and sorts as SQL for one plan: the columns, the joins, the conditions.
///
/// What SQL cannot say by itself it says with functions of ours (`Connection+PredicateFunctions`).
struct SQLWriter {
  /// A row being looked at, as SQL names it, and what its to-ones lead to.
  struct Scope {
    let alias: String
    /// The index of the row's entity.
    let entity: Int
    var joins: [Join] = []
  }

  struct Join {
    let path: [Int]
    let alias: String
    let table: String
    let on: String
  }

  let entity: EntityBinding
  let schema: SQLSchema
  let dialect: SQLDialect
  let bindings: [EntityBinding]
  let offset: Int
  /// The row that is judged, then a member of each to-many within.
  var scopes: [Scope]
  /// How many rows have a name; every one has its own.
  var aliasCount = 1
  var values: [SQLValue] = []
  /// Whether the statement calls functions of ours.
  var needsFunctions = false
  /// Whether a part nests too deeply to be handed to SQLite, and was left out.
  private(set) var isTooDeep = false
  private var depth = 0

  init(entity: EntityBinding, schema: SQLSchema, bindings: [EntityBinding]) {
    self.entity = entity
    self.schema = schema
    dialect = schema.dialect
    self.bindings = bindings
    offset = bindings[0].index
    scopes = [Scope(alias: "t0", entity: entity.index)]
  }

  /// The whole statement for a plan, with the columns given.
  mutating func select(_ columns: [String], for plan: FetchPlan) -> String {
    var list = ""
    for column in columns {
      list += list.isEmpty ? "t0." : ", t0."
      list += column.quoted
    }
    return select(list: list, for: plan)
  }

  /// The whole statement for a plan: keys, the values of some expressions, and behind them the
  /// number of each row's entity where the plan wants that.
  mutating func select(_ expressions: [BoundExpression], for plan: FetchPlan) -> String {
    var list = ["t0.Z_PK"]
    for expression in expressions { list.append(sql(expression)) }
    if plan.asksForEntities { list.append("t0.Z_ENT") }
    return select(list: list.joined(separator: ", "), for: plan)
  }

  /// The whole statement for a plan, with what is selected given.
  mutating func select(list: String, for plan: FetchPlan) -> String {
    var conditions: [String] = []
    if let link = plan.link {
      let names = schema.joins[link.end.join]
      let owner = link.end.isFirst ? names.firstKey : names.secondKey
      conditions.append(isIn("j.\(owner.quoted)", link.owners))
    }
    let family = plan.family
    if entity.root != entity.index || family.count < rootFamilySize {
      let numbers = family.map { String(bindings[$0 - offset].number) }.joined(separator: ", ")
      // Without statistics SQLite takes the index on the entity for as good as any other. It is
      // not: a plus sign keeps it from that one.
      let isFound =
        dialect.isSQLite
        && plan.predicate?.asksForIndexedValues(of: entity, among: bindings) == true
      conditions.append("\(isFound ? "+" : "")t0.Z_ENT IN (\(numbers))")
    }
    if let predicate = plan.predicate {
      conditions.append(
        plan.findsKeysFirst ? conditionByKeys(predicate) : condition(predicate))
    }
    var orders = plan.sorts.map { sort in
      column(0, sort.keyPath) + (sort.order.collation.map { " COLLATE " + $0 } ?? "")
        + dialect.direction(isAscending: sort.isAscending)
    }
    if !plan.isUnordered { orders.append("t0.Z_PK") }
    if let link = plan.link {
      let names = schema.joins[link.end.join]
      let order = link.end.isFirst ? names.secondOrder : names.firstOrder
      let owner = "j.\((link.end.isFirst ? names.firstKey : names.secondKey).quoted)"
      orders.insert(
        (order.map { "j.\($0.quoted)" } ?? "t0.Z_ENT") + dialect.direction(isAscending: true), at: 0
      )
      if link.owners.count != 1 { orders.insert(owner, at: 0) }
    }
    var sql = "SELECT \(list)"
    if let link = plan.link, link.owners.count != 1 {
      let names = schema.joins[link.end.join]
      sql += ", j.\((link.end.isFirst ? names.firstKey : names.secondKey).quoted)"
    }
    sql += " FROM \(table(of: entity.index)) AS t0"
    if let link = plan.link {
      let names = schema.joins[link.end.join]
      let member = link.end.isFirst ? names.secondKey : names.firstKey
      sql += " JOIN \(dialect.table(names.table)) AS j ON j.\(member.quoted) = t0.Z_PK"
    }
    sql += joins(scopes[0])
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !orders.isEmpty { sql += " ORDER BY " + orders.joined(separator: ", ") }
    if plan.limit > 0 || plan.offset > 0 {
      if plan.limit > 0 || dialect.isSQLite {
        sql += " LIMIT ?"
        values.append(.key(plan.limit > 0 ? Int64(plan.limit) : -1))
      }
      if plan.offset > 0 {
        sql += " OFFSET ?"
        values.append(.key(Int64(plan.offset)))
      }
    }
    return sql
  }

  /// Writes a part that lies in another, unless that goes too deep.
  ///
  /// SQLite's parser holds some hundred signs that are not closed yet, fewer where they are many a
  /// level; what it refuses and what is deeper is judged in memory. Its own recursion has an end
  /// so, too.
  mutating func deeper(_ body: (inout SQLWriter) -> String) -> String {
    guard depth < 100 else {
      isTooDeep = true
      return "NULL"
    }
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  private var rootFamilySize: Int {
    schema.tableNames.count { $0 == schema.tableNames[entity.index - offset] }
  }

  /// The table of an entity, as a statement names it.
  func table(of entity: Int) -> String { dialect.table(schema.tableNames[entity - offset]) }

  // MARK: Columns and joins

  /// The column of a value, and the joins that lead to it.
  mutating func column(_ scope: Int, _ path: BoundKeyPath) -> String {
    var alias = scopes[scope].alias
    var entity = scopes[scope].entity
    var slots: [Int] = []
    for hop in path.hops {
      let from = "\(alias).\(schema.columnNames[entity - offset][hop.slot].quoted)"
      slots.append(hop.slot)
      entity = hop.destination
      if let join = scopes[scope].joins.first(where: { $0.path == slots }) {
        alias = join.alias
      } else {
        alias = newAlias()
        scopes[scope].joins.append(
          Join(
            path: slots, alias: alias, table: schema.tableNames[entity - offset],
            on: "\(alias).Z_PK = \(from)"))
      }
    }
    return "\(alias).\(schema.columnNames[entity - offset][path.slot].quoted)"
  }

  mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// The joins of a row's to-ones, to stand behind its table.
  func joins(_ scope: Scope) -> String {
    var sql = ""
    for join in scope.joins {
      sql += " LEFT JOIN \(dialect.table(join.table)) AS \(join.alias) ON \(join.on)"
    }
    return sql
  }
}
