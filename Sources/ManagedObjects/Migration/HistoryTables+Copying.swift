import DataModel
import SystemLibraries

/// Copying a history to another store together with the rows it refers to.
extension HistoryTables {
  /// The maximum number of rows in memory.
  private static let maximumRowCount = 1_000

  /// Replaces the whole history by another; the highest keys ever assigned never decrease.
  ///
  /// Values of tombstones are copied as they are in their columns. To be called in a transaction.
  func replaceAll(by other: HistoryTables) throws {
    let highest = [
      try highestKeys(of: Entity.allCases), try other.highestKeys(of: Entity.allCases),
    ]
    for entity in Entity.allCases where found.contains(entity.table) {
      try database.execute("DELETE FROM \(table(entity.table))")
      if other.found.contains(entity.table) { try copyRows(of: entity, from: other) }
      try setHighestKey(highest.compactMap { $0[entity] }.max() ?? 0, of: entity)
    }
    try database.sendQueued()
  }

  private func copyRows(of entity: Entity, from other: HistoryTables) throws {
    let columns = columns(of: entity).intersection(other.columns(of: entity))
      .subtracting(["Z_PK"]).sorted()
    let names = (["Z_PK"] + columns).joined(separator: ", ")
    var last = Int64.min
    while true {
      let statement = try other.database.prepared(
        """
        SELECT \(names) FROM \(other.table(entity.table))
        WHERE Z_PK > ? ORDER BY Z_PK LIMIT \(Self.maximumRowCount)
        """)
      defer { statement.reset() }
      statement.bind(last, at: 1)
      var count = 0
      while try statement.step() {
        count += 1
        last = statement.integer(at: 0)
        var values: [(column: String, value: AttributeValue)] = [("Z_PK", .integer(last))]
        for (index, column) in columns.enumerated() {
          if let value = Self.value(of: column, in: statement, at: Int32(index + 1)) {
            values.append((column, value))
          }
        }
        try insert(values, into: entity)
      }
      try database.sendQueued()
      if count < Self.maximumRowCount { return }
    }
  }

  private func columns(of entity: Entity) -> Set<String> {
    switch entity {
    case .change: changeColumns
    case .transaction: transactionColumns
    case .string: ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"]
    }
  }

  private static func value(
    of column: String, in statement: any SQLStatement, at index: Int32
  ) -> AttributeValue? {
    guard !statement.isNull(at: index) else { return nil }
    let hasBytes = column.hasPrefix("ZTOMBSTONE") || ["ZCOLUMNS", "ZQUERYGEN"].contains(column)
    if hasBytes { return statement.blob(at: index).map { .binary(Data($0)) } }
    switch column {
    case "ZTIMESTAMP": return .double(statement.real(at: index))
    case "ZNAME", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID":
      return statement.string(at: index).map { .string($0) }
    default: return .integer(statement.integer(at: index))
    }
  }
}
