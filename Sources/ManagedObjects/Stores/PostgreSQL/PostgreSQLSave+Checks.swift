#if PostgreSQL
  import DataModel

  /// The checks that a save makes in its transaction, while no other connection writes.
  extension PostgreSQLSave {
    /// Checks that rows which the save depends on but does not write are unchanged.
    func checkRows() {
      for (entity, checks) in request.checks.grouped(by: \.entity) {
        queueVersions(of: checks.map(\.key), entity) { versions in
          for check in checks {
            guard let found = versions[check.key],
              check.version.map({ Int64($0) == found }) ?? true
            else { throw conflict(entity, check.key) }
          }
        }
      }
    }

    /// Checks that the destinations of new to-ones and links exist.
    func checkDestinations() {
      guard request.checksDestinations else { return }
      let destinations = request.destinations(
        in: store.bindings, store.joins, but: result.adopted)
      for (index, wanted) in destinations {
        let entity = store.binding(at: index)
        // Rows checked before still exist: no other connection writes, and the save's own deletions
        // came earlier.
        let known = request.checks.lazy.filter { $0.entity.root == entity.root }.map(\.key)
        let keys = Set(wanted).subtracting(known).sorted()
        guard !keys.isEmpty else { continue }
        queueVersions(of: keys, entity) { found in
          if let missing = keys.first(where: { found[$0] == nil }) {
            throw conflict(entity, missing)
          }
        }
      }
    }

    /// Queues a query for the lock counts of rows, which a body checks by key before the commit.
    private func queueVersions(
      of keys: [Int64], _ entity: EntityBinding, _ body: @escaping ([Int64: Int64]) throws -> Void
    ) {
      connection.queue(
        """
        SELECT Z_PK, \(PostgreSQLStore.lockCount) FROM \(store.table(entity)) AS t
        WHERE Z_PK = ANY(?)
        """, [.integers(keys)],
        checking: { found in
          try body(
            Dictionary(
              (0..<found.count).map { (found.integer($0, 0), found.integer($0, 1)) },
              uniquingKeysWith: { one, _ in one }))
        })
    }

    // MARK: Delete rules

    /// Checks that no row keeps a to-one to a deleted row, unless the delete rule is No Action.
    func checkMembersLeft() { checkLeft { !$0.isLinked } }

    /// Checks that the links along which deletions cascaded still exist.
    private func checkFollowedLinks() {
      for (join, links) in Dictionary(grouping: request.followedLinks, by: \.join) {
        let names = store.schema.joins[join]
        connection.queue(
          """
          SELECT a, b FROM unnest(?, ?) AS v (a, b) WHERE NOT EXISTS
          (SELECT 1 FROM \(store.schema.dialect.table(names.table)) AS t
          WHERE t.\(names.firstKey.quoted) = v.a AND t.\(names.secondKey.quoted) = v.b) LIMIT 1
          """, keys(of: links),
          checking: { [store] missing in
            guard missing.count > 0 else { return }
            let link = SaveRequest.Link(
              join: join, first: missing.integer(0, 0), second: missing.integer(0, 1))
            throw link.conflict(in: store, store.joins)
          })
      }
    }

    /// Checks that no link of a deleted row leads to a member that should have been deleted too
    /// (Cascade) or that prevents the deletion (Deny).
    private func checkLinksLeft() { checkLeft(\.isLinked) }

    private func checkLeft(_ isWanted: (EntityBinding.ToMany) -> Bool) {
      let selects = request.deletes.grouped(by: \.entity).flatMap { entity, deletes in
        entity.toManys.filter { $0.bindsMembers && isWanted($0) }.compactMap { toMany in
          owners(in: toMany).map { (entity, toMany, sql: $0, keys: deletes.map(\.key)) }
        }
      }
      var unknown = UnknownMembers()
      for (index, (entity, toMany, sql, keys)) in selects.enumerated() {
        let isLast = index == selects.count - 1
        connection.queue(
          sql, [.integers(keys)],
          checking: { found in
            for row in 0..<found.count {
              unknown.lists.append((entity, found.integer(row, 0), toMany.number))
            }
            if isLast, !unknown.lists.isEmpty { throw unknown }
          })
      }
    }

    /// The statement that selects, among some objects, those with a member; nil if members are not
    /// stored.
    private func owners(in toMany: EntityBinding.ToMany) -> String? {
      let dialect = store.schema.dialect
      let destination = store.binding(at: toMany.destination)
      switch toMany.storage {
      case .foreignKey(let slot):
        let column = store.column(slot, of: destination)
        return """
          SELECT DISTINCT \(column) FROM \(store.table(destination)) WHERE \(column) = ANY(?)
          ORDER BY 1
          """
      case .join(let end):
        let names = store.schema.joins[end.join]
        let owner = (end.isFirst ? names.firstKey : names.secondKey).quoted
        let member = (end.isFirst ? names.secondKey : names.firstKey).quoted
        // A member deleted in the same save no longer counts, although its link still exists.
        return """
          SELECT DISTINCT \(owner) FROM \(dialect.table(names.table)) AS l WHERE \(owner) = ANY(?)
          AND EXISTS (SELECT 1 FROM \(store.table(destination)) AS d WHERE d.Z_PK = l.\(member))
          ORDER BY 1
          """
      case .memory: return nil
      }
    }

    // MARK: Links

    /// Removes links, including those of deleted rows.
    mutating func removeLinks() {
      checkFollowedLinks()
      if recorder != nil, !request.removedLinks.isEmpty { isLogBehind = true }
      for (join, links) in Dictionary(grouping: request.removedLinks, by: \.join) {
        let names = store.schema.joins[join]
        connection.queue(
          """
          DELETE FROM \(store.schema.dialect.table(names.table)) AS t
          USING unnest(?, ?) AS v (a, b)
          WHERE t.\(names.firstKey.quoted) = v.a AND t.\(names.secondKey.quoted) = v.b
          RETURNING \(Self.columns(of: names))
          """, keys(of: links), onResult: { [self] in record(unlinked: $0, join) })
      }
      checkLinksLeft()
      for (entity, deletes) in request.deletes.grouped(by: \.entity) {
        for (index, (join, names)) in zip(store.joins, store.schema.joins).enumerated() {
          for (end, key) in [
            (join.first.entity, names.firstKey), (join.secondEntity, names.secondKey),
          ] where store.binding(at: end).root == entity.root {
            connection.queue(
              """
              DELETE FROM \(store.schema.dialect.table(names.table)) AS t
              WHERE \(key.quoted) = ANY(?) RETURNING \(Self.columns(of: names))
              """, [.integers(deletes.map(\.key))],
              onResult: { [self] in record(unlinked: $0, index) })
          }
        }
      }
    }

    /// Inserts links.
    func addLinks() throws {
      for (join, links) in Dictionary(grouping: request.addedLinks, by: \.join) {
        let names = store.schema.joins[join]
        // Another process may have inserted the same link meanwhile; one is enough.
        let made = try connection.run(
          """
          INSERT INTO \(store.schema.dialect.table(names.table))
          (\(names.firstKey.quoted), \(names.secondKey.quoted))
          SELECT * FROM unnest(?, ?) ON CONFLICT DO NOTHING
          RETURNING \(names.firstKey.quoted), \(names.secondKey.quoted)
          """, keys(of: links))
        for row in 0..<made.count {
          recorder?.linked(join, made.integer(row, 0), made.integer(row, 1))
        }
      }
    }

    /// The keys and order keys of a link in a table with the alias `t`.
    private static func columns(of names: SQLSchema.Join) -> String {
      [names.firstKey, names.secondKey, names.firstOrder, names.secondOrder]
        .map { $0.map { "t.\($0.quoted)" } ?? "NULL::int8" }.joined(separator: ", ")
    }

    private func record(unlinked links: PostgreSQLResult, _ join: Int) {
      func order(_ row: Int, _ column: Int32) -> Int64? {
        links.isNull(row, column) ? nil : links.integer(row, column)
      }
      for row in 0..<links.count {
        recorder?.unlinked(
          join, links.integer(row, 0), links.integer(row, 1), firstOrder: order(row, 2),
          secondOrder: order(row, 3))
      }
    }

    private func keys(of links: [SaveRequest.Link]) -> [PostgreSQLValue] {
      [
        .integers(links.map { permanent($0.first) }), .integers(links.map { permanent($0.second) }),
      ]
    }
  }
#endif
