#if PostgreSQL
  /// One ordered to-many in a PostgreSQL table.
  protocol PostgreSQLListStorage: SQLListStorage where Store == PostgreSQLStore {
    /// The highest order key, if it was queried ahead.
    var lastOrderKeyAhead: LastOrderKey? { get }
  }

  extension PostgreSQLListStorage {
    private var lastOrderKeySQL: String {
      "SELECT max(\(keyColumn)) FROM \(table) AS t WHERE \(ownerColumn) = ?"
    }

    /// Queues the query for the highest order key, to be sent with the next statement.
    func queueLastOrderKey() -> LastOrderKey {
      let key = LastOrderKey()
      store.connection.queue(
        lastOrderKeySQL, [.integer(owner)],
        onResult: { key.value = .some($0.isNull(0, 0) ? nil : $0.integer(0, 0)) })
      return key
    }

    func lastOrderKey() throws -> Int64? {
      if let ahead = lastOrderKeyAhead {
        if ahead.value == nil { try store.connection.sendQueued() }
        if let value = ahead.value { return value }
      }
      let found = try store.connection.run(lastOrderKeySQL, [.integer(owner)])
      return found.isNull(0, 0) ? nil : found.integer(0, 0)
    }

    func storedMembers() throws -> [StoredMember] {
      let found = try store.connection.run(
        """
        SELECT \(memberColumn), \(keyColumn), \(version) FROM \(table) AS t
        WHERE \(ownerColumn) = ? ORDER BY \(keyColumn) NULLS FIRST, \(memberColumn)
        """, [.integer(owner)])
      return (0..<found.count).map { row in
        StoredMember(
          key: found.integer(row, 0),
          orderKey: found.isNull(row, 1) ? nil : found.integer(row, 1),
          version: UInt32(truncatingIfNeeded: found.integer(row, 2)))
      }
    }
  }
#endif
