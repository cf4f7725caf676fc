/// Writes bound predicates and sorts as SQL for one plan: columns, joins and conditions.
///
/// What SQLite's SQL cannot express is written with this library's functions
/// (`Connection+PredicateFunctions`).
struct SQLWriter {
  /// A row in the statement, by its alias, and the joins of its to-ones.
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
  /// The fetched row, followed by a member of each enclosing to-many.
  var scopes: [Scope]
  /// The number of aliases in use; each row has its own.
  var aliasCount = 1
  var values: [SQLValue] = []
  /// Whether the statement calls this library's functions.
  var needsFunctions = false
  /// Whether a part was left out because it is nested too deeply for SQLite.
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

  /// The complete statement for a plan, selecting columns.
  mutating func select(_ columns: [String], for plan: FetchPlan) -> String {
    var list = ""
    for column in columns {
      list += list.isEmpty ? "t0." : ", t0."
      list += column.quoted
    }
    return select(list: list, for: plan)
  }

  /// The complete statement for a plan, selecting keys, the values of expressions, and the entity
  /// number of each row if the plan needs it.
  mutating func select(_ expressions: [BoundExpression], for plan: FetchPlan) -> String {
    var list = ["t0.Z_PK"]
    for expression in expressions { list.append(sql(expression)) }
    if plan.asksForEntities { list.append("t0.Z_ENT") }
    return select(list: list.joined(separator: ", "), for: plan)
  }

  /// The complete statement for a plan, selecting a given list.
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
      // Without statistics SQLite considers the index on the entity as good as any other, which it
      // is not: the plus sign prevents its use.
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

  /// Writes a nested part, unless the nesting is too deep.
  ///
  /// The stack of SQLite's parser is limited to some hundred symbols, and one level may need
  /// several; what it refuses, or what is deeper, is evaluated in memory. This also bounds the
  /// recursion here.
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

  /// The name of an entity's table in a statement.
  func table(of entity: Int) -> String { dialect.table(schema.tableNames[entity - offset]) }

  // MARK: Columns and joins

  /// The column of a value; adds the joins that lead to it.
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

  /// The joins of a row's to-ones, to follow its table.
  func joins(_ scope: Scope) -> String {
    var sql = ""
    for join in scope.joins {
      sql += " LEFT JOIN \(dialect.table(join.table)) AS \(join.alias) ON \(join.on)"
    }
    return sql
  }
}
