import DataModel

/// The checks that a save makes in its transaction, while no other connection writes.
extension SQLiteSave {
  /// Checks that rows which the save depends on but does not write are unchanged.
  func checkRows() throws {
    var statements = LastStatement(store.connection)
    for check in request.checks {
      try expectRow(check.key, of: check.entity, version: check.version, &statements)
    }
  }

  /// Checks that the destinations of new to-ones and links exist.
  ///
  /// Each is looked up once, however many refer to it.
  func checkDestinations() throws {
    guard request.checksDestinations else { return }
    let destinations = request.destinations(
      in: store.bindings, store.joins, but: result.adopted)
    for (entity, keys) in destinations {
      var statements = LastStatement(store.connection)
      for key in keys {
        try expectRow(key, of: store.binding(at: entity), version: nil, &statements)
      }
    }
  }

  private func expectRow(
    _ key: Int64, of entity: EntityBinding, version: UInt32?, _ statements: inout LastStatement
  ) throws {
    let statement = try statements.of(entity) {
      "SELECT \(SQLDialect.lockCount) FROM \(store.table(entity)) WHERE Z_PK = ?"
    }
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step(), version.map({ Int64($0) == statement.integer(at: 0) }) ?? true
    else { throw ConflictError(objectID: ManagedObjectID(binding: entity, key: key)) }
  }

  // MARK: Delete rules

  /// Checks that no row keeps a to-one to a deleted row, unless the delete rule is No Action.
  func checkMembersLeft() throws { try checkLeft { !$0.isLinked } }

  /// Checks that the links along which deletions cascaded still exist.
  func checkFollowedLinks() throws {
    for link in request.followedLinks {
      let names = store.schema.joins[link.join]
      let statement = try store.connection.statement(
        """
        SELECT 1 FROM \(names.table.quoted)
        WHERE \(names.firstKey.quoted) = ? AND \(names.secondKey.quoted) = ?
        """)
      defer { statement.reset() }
      statement.bind(link.first, at: 1)
      statement.bind(link.second, at: 2)
      guard try statement.step() else { throw link.conflict(in: store, store.joins) }
    }
  }

  /// Checks that no link of a deleted row leads to a member that should have been deleted too
  /// (Cascade) or that prevents the deletion (Deny).
  func checkLinksLeft() throws { try checkLeft(\.isLinked) }

  private func checkLeft(_ isWanted: (EntityBinding.ToMany) -> Bool) throws {
    var unknown = UnknownMembers()
    var entity: EntityBinding?
    // The cursors that look for one member of each to-many of the entity.
    var looks: [(toMany: EntityBinding.ToMany, cursor: SQLiteCursor)] = []
    for delete in request.deletes {
      if entity !== delete.entity {
        entity = delete.entity
        looks = try delete.entity.toManys.filter { $0.bindsMembers && isWanted($0) }
          .map {
            ($0, try store.reader.ownCursor(for: plan($0, owner: delete.key)))
          }
      }
      for look in looks where try look.cursor.hasRow(with: delete.key) {
        unknown.lists.append((delete.entity, delete.key, look.toMany.number))
      }
    }
    if !unknown.lists.isEmpty { throw unknown }
  }

  private func plan(_ toMany: EntityBinding.ToMany, owner: Int64) -> FetchPlan {
    var plan = FetchPlan(
      membersOf: toMany, owners: [owner], in: store.binding(at: toMany.destination))
    plan.keysOnly = true
    plan.isUnordered = true
    plan.sorts = []
    plan.limit = 1
    return plan
  }
}
