import DataModel

/// The SQL of the triggers that maintain derived attributes; all identifiers are quoted.
struct DerivationTriggers {
  /// The column of a derived attribute.
  struct Owner {
    let table: String
    let column: String
    /// The entity numbers of the rows that have the attribute.
    let numbers: String
  }

  /// A to-one on the key path to a value: the column of the key, and the destination table.
  struct Hop {
    let key: String
    let table: String
  }

  /// A join table between owners and members, and the column to aggregate.
  struct Links {
    let table: String
    /// The column of the owner's key.
    let owner: String
    /// The column of the member's key.
    let member: String
    let members: String
    let value: String
  }

  private(set) var statements: [String] = []
  /// The statements that recalculate each column for all rows.
  private(set) var recalculations: [(owner: Owner, statement: String)] = []

  // MARK: Single values

  /// `now()`: the time at which the row was saved.
  mutating func addNow(_ owner: Owner) {
    let now = "(julianday('now') - 2451910.5) * 86400"
    // Every save increments Z_OPT, and no trigger does.
    for event in ["INSERT", "UPDATE OF Z_OPT"] { addSetting(now, of: owner, after: event) }
    recalculate(now, of: owner)
  }

  /// A value derived from a column of the row itself or of a row reached by to-ones.
  mutating func addValue(
    _ owner: Owner, along hops: [Hop], _ column: String, _ function: Derivation.TextFunction?
  ) {
    /// The value reached from a trigger's row by the hops from an index on.
    func value(from first: Int, of row: String = "NEW") -> String {
      guard first < hops.count else { return "\(function.sqlName)(\(row).\(column))" }
      let key = hops[first...].indices.dropFirst().reduce("\(row).\(hops[first].key)") { key, hop in
        "(SELECT \(hops[hop].key) FROM \(hops[hop - 1].table) WHERE Z_PK = \(key))"
      }
      return
        "\(function.sqlName)((SELECT \(column) FROM \(hops[hops.count - 1].table) WHERE Z_PK = \(key)))"
    }
    recalculate(value(from: 0, of: Self.row), of: owner)
    let own = hops.first?.key ?? column
    for event in ["INSERT", "UPDATE OF \(own)"] {
      addSetting(value(from: 0), of: owner, after: event)
    }
    for (index, hop) in hops.enumerated() {
      // The rows that lead to the changed row by the hops up to this one.
      let owners = hops[..<index].reversed().reduce("\(hop.key) = NEW.Z_PK") { condition, hop in
        "\(hop.key) IN (SELECT Z_PK FROM \(hop.table) WHERE \(condition))"
      }
      let next = index + 1 < hops.count ? hops[index + 1].key : column
      for event in ["INSERT", "UPDATE OF \(next)"] {
        add(
          event, on: hop.table, when: "1",
          """
          UPDATE \(owner.table) SET \(owner.column) = \(value(from: index + 1))
          WHERE \(owners) AND Z_ENT IN (\(owner.numbers))
          """)
      }
    }
  }

  // MARK: Values of a to-many

  /// An aggregate over a to-many: the number of members, or an aggregate of one of their values.
  ///
  /// Counts are incremented and decremented; any other aggregate is recalculated for the whole
  /// list.
  mutating func addMembers(
    _ owner: Owner, of table: String, key: String, _ value: String?,
    _ aggregate: Derivation.Aggregate
  ) {
    func whole(_ owner: String) -> String {
      aggregate.sql(of: value ?? "*", "FROM \(table) WHERE \(key) = \(owner)")
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
    recalculate(whole("\(Self.row).Z_PK"), of: owner)
    add("INSERT", on: table, when: "NEW.\(key) NOT NULL", change("NEW", "+ 1"))
    add("DELETE", on: table, when: "OLD.\(key) NOT NULL", change("OLD", "- 1"))
    add(
      "UPDATE OF \(columns.joined(separator: ", "))", on: table, when: isChanged,
      change("OLD", "- 1") + ";\n" + change("NEW", "+ 1"))
  }

  /// An aggregate over members that are linked by a join table.
  mutating func addLinkedMembers(
    _ owner: Owner, _ links: Links, _ aggregate: Derivation.Aggregate
  ) {
    func setting(where condition: String) -> String {
      let whole = aggregate.sql(
        of: "m.\(links.value)",
        """
        FROM \(links.table) AS l JOIN \(links.members) AS m ON m.Z_PK = l.\(links.member)
        WHERE l.\(links.owner) = \(owner.table).Z_PK
        """)
      return """
        UPDATE \(owner.table) SET \(owner.column) = \(whole)
        WHERE \(condition) AND Z_ENT IN (\(owner.numbers))
        """
    }
    let old = setting(where: "Z_PK = OLD.\(links.owner)")
    let new = setting(where: "Z_PK = NEW.\(links.owner)")
    recalculations.append((owner, setting(where: "1")))
    add("INSERT", on: owner.table, when: "1", setting(where: "Z_PK = NEW.Z_PK"))
    add("INSERT", on: links.table, when: "1", new)
    add("DELETE", on: links.table, when: "1", old)
    add(
      "UPDATE OF \(links.owner), \(links.member)", on: links.table, when: "1", old + ";\n" + new)
    // A link may be inserted before its member.
    let linked =
      "Z_PK IN (SELECT \(links.owner) FROM \(links.table) WHERE \(links.member) = NEW.Z_PK)"
    for event in ["INSERT", "UPDATE OF \(links.value)"] {
      add(event, on: links.members, when: "1", setting(where: linked))
    }
  }

  // MARK: SQL

  /// The alias of the row whose column is recalculated.
  private static let row = "MO_ROW"

  private mutating func recalculate(_ value: String, of owner: Owner) {
    recalculations.append(
      (
        owner,
        """
        UPDATE \(owner.table) AS \(Self.row) SET \(owner.column) = \(value)
        WHERE Z_ENT IN (\(owner.numbers))
        """
      ))
  }

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

extension Derivation.TextFunction? {
  /// The SQL name of this library's function; empty for none.
  fileprivate var sqlName: String { map { "MO_" + $0.rawValue.uppercased() } ?? "" }
}

extension Derivation.Aggregate {
  /// The SQL that aggregates a column of some rows; the sum of no rows is 0.
  fileprivate func sql(of column: String, _ rows: String) -> String {
    let result = "(SELECT \(rawValue)(\(column)) \(rows))"
    return self == .sum ? "coalesce(\(result), 0)" : result
  }
}
