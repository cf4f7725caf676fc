extension SQLiteSave {
  /// Removes links, including those of deleted rows, and inserts new ones.
  func updateLinks() throws {
    try checkFollowedLinks()
    try removeLinks()
    try checkLinksLeft()
    for delete in request.deletes {
      for (index, (join, names)) in zip(store.joins, store.schema.joins).enumerated() {
        if store.binding(at: join.first.entity).root == delete.entity.root {
          if let recorder { try store.recordUnlink(index, first: delete.key, recorder) }
          try removeLinks(names, where: names.firstKey, is: delete.key)
        }
        if store.binding(at: join.secondEntity).root == delete.entity.root {
          if let recorder { try store.recordUnlink(index, second: delete.key, recorder) }
          try removeLinks(names, where: names.secondKey, is: delete.key)
        }
      }
    }
    for link in request.addedLinks {
      let names = store.schema.joins[link.join]
      // Another process may have inserted the same link meanwhile; one is enough.
      let statement = try store.connection.statement(
        """
        INSERT OR IGNORE INTO \(names.table.quoted)
        (\(names.firstKey.quoted), \(names.secondKey.quoted)) VALUES (?, ?)
        """)
      statement.bind(permanent(link.first), at: 1)
      statement.bind(permanent(link.second), at: 2)
      try statement.run()
      if store.connection.changes == 1 {
        recorder?.linked(link.join, permanent(link.first), permanent(link.second))
      }
    }
  }

  private func removeLinks() throws {
    for link in request.removedLinks {
      let names = store.schema.joins[link.join]
      if let recorder {
        try store.recordUnlink(
          link.join, first: permanent(link.first), second: permanent(link.second), recorder)
      }
      let statement = try store.connection.statement(
        """
        DELETE FROM \(names.table.quoted)
        WHERE \(names.firstKey.quoted) = ? AND \(names.secondKey.quoted) = ?
        """)
      statement.bind(permanent(link.first), at: 1)
      statement.bind(permanent(link.second), at: 2)
      try statement.run()
    }
  }

  private func removeLinks(_ names: SQLSchema.Join, where column: String, is key: Int64) throws {
    let statement = try store.connection.statement(
      "DELETE FROM \(names.table.quoted) WHERE \(column.quoted) = ?")
    statement.bind(key, at: 1)
    try statement.run()
  }
}
