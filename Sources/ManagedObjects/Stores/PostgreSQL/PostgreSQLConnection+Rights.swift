#if PostgreSQL
  extension PostgreSQLConnection {
    /// Grants other roles the rights on new tables that they have on the store's metadata.
    func grantRights(to tables: [String]) throws {
      guard !tables.isEmpty else { return }
      let found = try run(
        """
        SELECT DISTINCT grantee::text, privilege_type::text
        FROM information_schema.role_table_grants
        WHERE table_schema = ? AND upper(table_name) = 'Z_METADATA' AND grantee <> current_user
        """, [.text(address.schema)])
      var statements: [String] = []
      for row in 0..<found.count {
        guard let grantee = found.text(row, 0), let privilege = found.text(row, 1) else { continue }
        let role = grantee == "PUBLIC" ? grantee : grantee.quotedAlways
        statements += tables.map { "GRANT \(privilege) ON \(address.dialect.table($0)) TO \(role)" }
      }
      if !statements.isEmpty { try runAll(statements.joined(separator: ";\n")) }
    }
  }
#endif
