import DataModel

/// Batch requests as single statements.
///
/// If more than the rows themselves is affected (an undo log, external files or tombstones, delete
/// rules that reach other rows), the request is executed row by row instead. In a single statement,
/// the persistent history records only the rows, not the owners of to-many relationships that they
/// leave.
extension SQLiteStore {
  /// `UPDATE … SET …, Z_OPT = Z_OPT + 1 WHERE Z_PK IN (SELECT …) RETURNING Z_PK, Z_ENT`.
  func updateAtOnce(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)], by origin: TransactionOrigin
  ) throws -> [BatchedRow]? {
    let family = plan.entity.family.map { binding(at: $0) }
    guard undoLog == nil, !values.isEmpty,
      family.allSatisfy({ entity in
        values.allSatisfy { !entity.externalSlots.contains($0.slot) }
      })
    else { return nil }
    let columns = values.map {
      "\(column($0.slot, of: plan.entity)) = \($0.value == nil ? "NULL" : "?")"
    }
    return try mappingErrors {
      do {
        return try change(
          plan,
          "UPDATE \(table(plan.entity)) SET \(columns.joined(separator: ", ")), Z_OPT = \(SQLDialect.nextLockCount)",
          values.compactMap { $0.value.map { .scalar($0) } }
        ) { rows in
          try writeHistory(of: rows, by: origin) { $0.updated($1, $2, slots: values.map(\.slot)) }
        }
      } catch let error as SQLiteError {
        guard error.isUniqueViolation else { throw error }
        throw PersistentStoreError.uniquenessViolation(
          entity: plan.entity.name, properties: constraint(named: error.message, of: plan.entity))
      }
    }
  }

  /// `DELETE FROM … WHERE Z_PK IN (SELECT …) RETURNING Z_PK, Z_ENT`, and the rows' links.
  func deleteAtOnce(_ plan: FetchPlan, by origin: TransactionOrigin) throws -> [BatchedRow]? {
    let family = plan.family.map { binding(at: $0) }
    guard undoLog == nil, family.allSatisfy(\.isDeletedAlone),
      history == nil || !family.contains(where: \.hasTombstone)
    else { return nil }
    return try mappingErrors {
      try change(plan, "DELETE FROM \(table(plan.entity))", []) { rows in
        try connection.definePredicateFunctions(files: files)
        for (join, names) in zip(joins, schema.joins) {
          for (end, key) in [
            (join.first.entity, names.firstKey), (join.secondEntity, names.secondKey),
          ]
          where binding(at: end).root == plan.entity.root {
            let statement = try connection.statement(
              """
              DELETE FROM \(names.table.quoted)
              WHERE \(key.quoted) IN (SELECT value FROM Z_VALUES(?))
              """)
            statement.bind(list: rows.map { .integer($0.key) }, at: 1)
            try statement.run()
            statement.reset()
          }
        }
        try writeHistory(of: rows, by: origin) { $0.deleted($1, $2, nil) }
      }
    }
  }

  /// Records what a statement did to rows in the persistent history, if one is kept.
  private func writeHistory(
    of rows: [BatchedRow], by origin: TransactionOrigin,
    _ note: (HistoryRecorder, EntityBinding, Int64) -> Void
  ) throws {
    guard let recorder = historyRecorder() else { return }
    for row in rows { note(recorder, row.entity, row.key) }
    try writeHistory(recorder, by: origin)
  }

  /// Runs a statement on the rows that a plan selects, in a transaction; nil if the plan exceeds
  /// SQLite's limits.
  private func change(
    _ plan: FetchPlan, _ start: String, _ values: [SQLValue],
    then body: ([BatchedRow]) throws -> Void = { _ in }
  ) throws -> [BatchedRow]? {
    var plan = plan
    plan.isUnordered = plan.sorts.isEmpty && plan.limit == 0 && plan.offset == 0
    var writer = reader.writer(for: plan)
    writer.values = values
    let rows = writer.select(["Z_PK"], for: plan)
    let sql = "\(start) WHERE Z_PK IN (\(rows)) RETURNING Z_PK, Z_ENT"
    // Prepared before the transaction: if this returns nil, a transaction from `beginAhead()` must
    // stay open.
    guard let statement = try reader.prepared(sql, for: plan, writer) else { return nil }
    let changed = try connection.transaction {
      defer { statement.reset() }
      var changed: [BatchedRow] = []
      while try statement.step() {
        let number = statement.integer(at: 1)
        let entity = plan.entity.family.first { binding(at: $0).number == number }
        changed.append((binding(at: entity ?? plan.entity.index), statement.integer(at: 0)))
      }
      try body(changed)
      return changed
    }
    history?.didCommit()
    shortenLog()
    return changed
  }
}

extension EntityBinding {
  /// Whether the persistent history keeps values of deleted rows.
  fileprivate var hasTombstone: Bool {
    slots.prefix(storedSlotCount).contains {
      guard case .attribute(let attribute) = $0 else { return false }
      return attribute.preservesValueInHistoryOnDeletion
    }
  }

  /// Whether deleting a row affects no other row except links, and no file.
  fileprivate var isDeletedAlone: Bool {
    externalSlots.isEmpty
      && toOnes.allSatisfy { toOne in
        switch (toOne.description.deleteRule, toOne.inverse) {
        case (.noAction, _), (.nullify, .none), (.nullify, .toMany): true
        default: false
        }
      }
      && toManys.allSatisfy { toMany in
        switch (toMany.description.deleteRule, toMany.storage) {
        case (.noAction, _), (.nullify, .join), (.nullify, .memory): true
        default: false
        }
      }
  }
}
