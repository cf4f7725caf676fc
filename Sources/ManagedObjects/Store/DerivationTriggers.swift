/// The triggers of derived attributes as SQL; identifiers come quoted.
struct DerivationTriggers {
  /// Whose column a derived attribute is.
  struct Owner {
    let table: String
    let column: String
    /// The entity numbers of the rows that have the attribute.
    let numbers: String
  }

  private(set) var statements: [String] = []

  /// The SQL function for a derivation's function of one value; nil where there is none.
  static func textFunction(_ name: String?) -> String? {
    switch name {
    case nil: ""
    case "canonical": "MO_CANONICAL"
    case "uppercase": "MO_UPPERCASE"
    case "lowercase": "MO_LOWERCASE"
    default: nil
    }
  }

  /// The SQL function for a derivation's function of a to-many; nil where there is none.
  static func aggregate(_ name: String?) -> String? {
    switch name {
    case "count", "sum", "min", "max": name
    case "average", "avg": "avg"
    default: nil
    }
  }

  // MARK: Values of the row itself

  /// `now()`: the moment at which the row was saved.
  mutating func addNow(_ owner: Owner) {
    // Every save counts Z_OPT up, and no trigger does.
    for event in ["INSERT", "UPDATE OF Z_OPT"] {
      addSetting("(julianday('now') - 2451910.5) * 86400", of: owner, after: event)
    }
  }

  /// A value made of another one of the row.
  mutating func addOwn(_ owner: Owner, from column: String, _ function: String) {
    for event in ["INSERT", "UPDATE OF \(column)"] {
      addSetting("\(function)(NEW.\(column))", of: owner, after: event)
    }
  }

  /// A value made of one at the other end of a to-one.
  mutating func addDestinations(
    _ owner: Owner, key: String, from end: (table: String, column: String), _ function: String
  ) {
    let value = "\(function)((SELECT \(end.column) FROM \(end.table) WHERE Z_PK = NEW.\(key)))"
    for event in ["INSERT", "UPDATE OF \(key)"] { addSetting(value, of: owner, after: event) }
    for event in ["INSERT", "UPDATE OF \(end.column)"] {
      add(
        event, on: end.table, when: "1",
        """
        UPDATE \(owner.table) SET \(owner.column) = \(function)(NEW.\(end.column))
        WHERE \(key) = NEW.Z_PK AND Z_ENT IN (\(owner.numbers))
        """)
    }
  }

  // MARK: Values of a to-many

  /// A number made of a to-many's members: how many there are, or of one of their values.
  ///
  /// Counts are counted up and down; anything else is worked out anew for the whole list.
  mutating func addMembers(
    _ owner: Owner, of table: String, key: String, _ value: String?, _ aggregate: String
  ) {
    func whole(_ owner: String) -> String {
      let result = "SELECT \(aggregate)(\(value ?? "*")) FROM \(table) WHERE \(key) = \(owner)"
      return aggregate == "sum" ? "coalesce((\(result)), 0)" : "(\(result))"
    }
    func change(_ side: String, _ step: String) -> String {
      let now = whole("\(side).\(key)")
      let counted = "coalesce(\(owner.column) \(step), \(now))"
      return """
        UPDATE \(owner.table) SET \(owner.column) = \(value == nil ? counted : now)
        WHERE Z_PK = \(side).\(key) AND Z_ENT IN (\(owner.numbers))
        """
    }
    let columns = [key, value].compactMap(\.self)
    let isChanged = columns.map { "NEW.\($0) IS NOT OLD.\($0)" }.joined(separator: " OR ")
    addSetting(whole("NEW.Z_PK"), of: owner, after: "INSERT")
    add("INSERT", on: table, when: "NEW.\(key) NOT NULL", change("NEW", "+ 1"))
    add("DELETE", on: table, when: "OLD.\(key) NOT NULL", change("OLD", "- 1"))
    add(
      "UPDATE OF \(columns.joined(separator: ", "))", on: table, when: isChanged,
      change("OLD", "- 1") + ";\n" + change("NEW", "+ 1"))
  }

  // MARK: SQL

  private mutating func addSetting(_ value: String, of owner: Owner, after event: String) {
    add(
      event, on: owner.table, when: "NEW.Z_ENT IN (\(owner.numbers))",
      "UPDATE \(owner.table) SET \(owner.column) = \(value) WHERE Z_PK = NEW.Z_PK")
  }

  private mutating func add(
    _ event: String, on table: String, when condition: String, _ body: String
  ) {
    statements.append(
      """
      CREATE TEMP TRIGGER MO_DA_\(statements.count) AFTER \(event) ON main.\(table)
      WHEN \(condition) BEGIN
      \(body);
      END
      """)
  }
}
