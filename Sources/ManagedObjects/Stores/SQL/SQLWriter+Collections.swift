import DataModel

/// Members of to-many relationships.
extension SQLWriter {
  /// `EXISTS (SELECT …)` for a member that meets a condition.
  mutating func exists(_ members: BoundCollection, _ condition: BoundPredicate) -> String {
    // A key path through three or more to-manys may reach the same member repeatedly.
    if members.levels.count > 2, members.areJudgedAlone(by: condition) {
      return leads(along: members.levels[...], condition)
    }
    return "EXISTS (\(subselect(members) { ("1", $0.condition(condition)) }))"
  }

  /// `owner IN (SELECT …)`, if the next level is another `IN`.
  ///
  /// None of these subqueries depends on the outer row, so SQLite evaluates each only once.
  private mutating func leads(
    along levels: ArraySlice<BoundCollection.Level>, _ condition: BoundPredicate
  ) -> String {
    guard let level = levels.first else { return self.condition(condition) }
    let owner = self.owner(level)
    let destination = level.toMany.destination
    let member = newAlias()
    var tables = "\(table(of: destination)) AS \(member)"
    var conditions: [String] = []
    let ownerColumn: String
    switch level.toMany.storage {
    case .foreignKey(let slot):
      ownerColumn = "\(member).\(schema.columnNames[destination - offset][slot].quoted)"
    case .join(let end):
      let names = schema.joins[end.join]
      let link = newAlias()
      let (from, to) =
        end.isFirst ? (names.firstKey, names.secondKey) : (names.secondKey, names.firstKey)
      tables += dialect.crossJoin + "\(dialect.table(names.table)) AS \(link)"
      conditions.append("\(member).Z_PK = \(link).\(to.quoted)")
      ownerColumn = "\(link).\(from.quoted)"
    case .memory: return dialect.no
    }
    scopes.append(Scope(alias: member, entity: destination))
    for filter in level.filters { conditions.append(self.condition(filter)) }
    conditions.append(deeper { $0.leads(along: levels.dropFirst(), condition) })
    tables += joins(scopes.removeLast())
    return "\(owner) IN (SELECT \(ownerColumn) FROM \(tables) WHERE "
      + conditions.joined(separator: " AND ") + ")"
  }

  /// `SELECT … FROM … WHERE …` for the members of a to-many.
  ///
  /// - Parameters:
  ///   - order: `""` or `" DESC"` for the members' order; nil for any order.
  ///   - body: returns the selected expression, which binds no values, and a condition for a
  ///     member; the members are the innermost scopes meanwhile.
  mutating func subselect(
    _ members: BoundCollection, order: String? = nil,
    _ body: (inout SQLWriter) -> (selected: String, where: String?)
  ) -> String {
    let outer = scopes.count
    var tables: [String] = []
    var conditions: [String] = []
    // Those of the last level; a to-many without an order is never sorted.
    var orders: [String] = []
    for level in members.levels {
      let owner = self.owner(level)
      let member = newAlias()
      tables.append("\(table(of: level.toMany.destination)) AS \(member)")
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
        tables.append("\(dialect.table(names.table)) AS \(link)")
        let (from, to) =
          end.isFirst ? (names.firstKey, names.secondKey) : (names.secondKey, names.firstKey)
        conditions.append("\(link).\(from.quoted) = \(owner)")
        conditions.append("\(member).Z_PK = \(link).\(to.quoted)")
        let column = end.isFirst ? names.secondOrder : names.firstOrder
        orders = [column.map { "\(link).\($0.quoted)" } ?? "\(member).Z_ENT", "\(member).Z_PK"]
      case .memory: conditions.append(dialect.no)
      }
      scopes.append(Scope(alias: member, entity: level.toMany.destination))
      for filter in level.filters { conditions.append(condition(filter)) }
    }
    let (selected, condition) = body(&self)
    let inner = scopes[outer...]
    scopes.removeSubrange(outer...)
    var sql = "SELECT \(selected) FROM \(tables.joined(separator: dialect.crossJoin))"
    for scope in inner { sql += joins(scope) }
    if let condition { conditions.append(condition) }
    sql += " WHERE " + conditions.joined(separator: " AND ")
    guard let order else { return sql }
    return sql + " ORDER BY " + orders.map { $0 + order }.joined(separator: ", ")
  }

  /// The key of the owner whose members a level contains.
  private mutating func owner(_ level: BoundCollection.Level) -> String {
    guard let last = level.hops.last else { return "\(scopes[level.owner].alias).Z_PK" }
    return column(
      level.owner, BoundKeyPath(hops: level.hops.dropLast(), slot: last.slot, type: nil))
  }
}
