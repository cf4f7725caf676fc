import DataModel
import SystemLibraries

/// The persistent history of a store that is migrated: Core Data's own, which others follow.
///
///     try MigratedHistory(connection)?.addMarker()
///
/// It outlives a migration. A transaction without changes, by Core Data's schema migrator, tells
/// those who follow it that what stands before is about another version of the model.
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

  /// Gives the changes' entities their new numbers; the changes of those that are removed go.
  func renumber(_ numbers: [(old: Int, new: Int)], removed: [Int]) throws {
    guard tables.found.contains(HistoryTables.change) else { return }
    if !removed.isEmpty {
      try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.sqlList))")
    }
    try connection.renumber(numbers, column: "ZENTITY", of: HistoryTables.change)
  }

  /// Forgets all changes: they are of rows whose keys others have now.
  func forgetChanges() throws {
    for table in [HistoryTables.change, HistoryTables.transaction]
    where tables.found.contains(table) {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  /// Adds the transaction that tells of the migration.
  func addMarker() throws {
    guard tables.found.contains(HistoryTables.transaction) else { return }
    _ = try tables.addTransaction(by: TransactionOrigin(author: Self.author))
  }
}
