import DataModel
import SystemLibraries

/// The persistent history of a store that is migrated, in Core Data's format.
///
///     try MigratedHistory(connection)?.addMarker()
///
/// It survives a migration. A transaction without changes, by Core Data's schema migrator, notifies
/// its readers that earlier transactions are of another version of the model.
struct MigratedHistory {
  private static let author = "com.apple.coredata.schemamigrator"

  private let connection: Connection
  private let tables: HistoryTables

  /// The history of a store; nil where it has none.
  init?(_ connection: Connection) throws {
    self.connection = connection
    guard let tables = try HistoryTables(connection) else { return nil }
    self.tables = tables
  }

  /// Gives the changes' entities their new numbers; deletes the changes of removed entities.
  func renumber(_ numbers: [(old: Int, new: Int)], removed: [Int]) throws {
    guard tables.found.contains(HistoryTables.change) else { return }
    if !removed.isEmpty {
      try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.sqlList))")
    }
    try connection.renumber(numbers, column: "ZENTITY", of: HistoryTables.change)
  }

  /// Deletes all changes: they refer to rows whose keys now belong to others.
  func forgetChanges() throws {
    for table in [HistoryTables.change, HistoryTables.transaction]
    where tables.found.contains(table) {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  /// Adds the transaction that marks the migration.
  func addMarker() throws {
    guard tables.found.contains(HistoryTables.transaction) else { return }
    _ = try tables.addTransaction(by: TransactionOrigin(author: Self.author))
  }
}
