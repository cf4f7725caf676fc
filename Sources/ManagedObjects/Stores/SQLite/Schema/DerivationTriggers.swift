import DataModel

/// The triggers of derived attributes as SQL; identifiers come quoted.
struct DerivationTriggers {
  /// Whose column a derived attribute is.
  struct Owner {
    let table: String
    let column: String
    /// The entity numbers of the rows that have the attribute.
    let numbers: String
  }

  /// A to-one on the way to a value: the column with the key, and the table that it leads to.
  struct Hop {
    let key: String
    let table: String
  }

  /// Links between owners and members, and what is wanted of the members.
  struct Links {
    let table: String
    /// The column with the owner's key.
    let owner: String
    /// The column with the member's.
    let member: String
    let members: String
    let value: String
  }

  private(set) var statements: [String] = []
  /// What works each column out anew for all rows, a statement each.
  private(set) var recalculations: [(owner: Owner, statement: String)] = []

  // MARK: Single values

  /// `now()`: the moment at which the row was saved.
  mutating func addNow(_ owner: Owner) {
    let now = "(julianday('now') - 2451910.5) * 86400"
    // Every save counts Z_OPT up, and no trigger does.
    for event in ["INSERT", "UPDATE OF Z_OPT"] { addSetting(now, of: owner, after: event) }
    recalculate(now, of: owner)
  }

  /// A value made of another one: of the row itself, or of the one that some to-ones lead to.
  mutating func addValue(
    _ owner: Owner, along hops: [Hop], _ column: String, _ function: Derivation.TextFunction?
  ) {
    /// The value as the row that a trigger is about leads to it by the hops from one on.
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
      // Whoever leads to the row by the hops up to this one.
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

  /// A number made of a to-many's members: how many there are, or of one of their values.
  ///
  /// Counts are counted up and down; anything else is worked out anew for the whole list.
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

  /// A number made of a value of members that are linked by rows of their own.
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
    // A link may be there before its member.
    let linked =
      "Z_PK IN (SELECT \(links.owner) FROM \(links.table) WHERE \(links.member) = NEW.Z_PK)"
    for event in ["INSERT", "UPDATE OF \(links.value)"] {
      add(event, on: links.members, when: "1", setting(where: linked))
    }
  }

  // MARK: SQL

  /// What a row is called whose column is worked out anew.
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
  /// The function of ours that SQL calls; empty for none.
  fileprivate var sqlName: String { map { "MO_" + $0.rawValue.uppercased() } ?? "" }
}

extension Derivation.Aggregate {
  /// What it makes of a column of some rows; nothing sums up to 0.
  fileprivate func sql(of column: String, _ rows: String) -> String {
    let result = "(SELECT \(rawValue)(\(column)) \(rows))"
    return self == .sum ? "coalesce(\(result), 0)" : result
  }
}
