import DataModel

extension SQLiteStore {
  /// Drops the columns that a deferred migration left, in one transaction; returns whether there
  /// were any.
  func finishDeferredMigration() throws -> Bool {
    try mappingErrors {
      guard try Self.readMetadata(connection, at: fileURL).plist[StoredMetadata.deferredKey] != nil
      else { return false }
      try refuseIfReadOnly()
      return try connection.transaction {
        // Read again now that the write lock is held.
        let list = try Self.readMetadata(connection, at: fileURL).plist[StoredMetadata.deferredKey]
        let contents = try StoreContents(connection)
        for (table, columns) in DeferredColumns(list).sorted(by: { $0.key < $1.key }) {
          let found = Set(try contents.columns(of: table).map(\.name))
          for column in columns where found.contains(column) {
            try connection.execute(
              "ALTER TABLE \(table.quoted) DROP COLUMN \(column.quoted)")
          }
        }
        try Self.changeMetadata(connection, at: fileURL, nil) {
          $0[StoredMetadata.deferredKey] = nil
        }
        return list != nil
      }
    }
  }
}
