import DataModel

extension SQLiteStore {
  func insertStatement(_ entity: EntityBinding) throws -> Statement {
    if let kept = inserts[entity.index - offset] { return kept }
    let names = schema.columnNames[entity.index - offset]
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + entity.writtenSlots.map { names[$0] }
    let statement = try connection.statement(
      """
      INSERT INTO \(table(entity)) (\(columns.map(\.quoted).joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    inserts[entity.index - offset] = statement
    return statement
  }

  /// `UPDATE … SET <slots>, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?`, values in that order.
  func updateStatement(_ entity: EntityBinding, slots: [Int]) throws -> Statement {
    let key = UpdateKey(entity: entity.index, slots: slots)
    if let kept = updates[key] { return kept }
    let columns = slots.map { column($0, of: entity) }
    let statement = try connection.statement(
      """
      UPDATE \(table(entity))
      SET \(columns.map { "\($0) = ?, " }.joined())Z_OPT = \(SQLDialect.nextLockCount)
      WHERE Z_PK = ? AND \(SQLDialect.lockCount) = ?
      """)
    updates[key] = statement
    return statement
  }

  /// Records the external files of a row's values, to be dropped with them.
  func dropFiles(
    of slots: [Int], of entity: EntityBinding, _ key: Int64, _ files: ExternalDataChanges
  ) throws {
    guard !slots.isEmpty else { return }
    let columns = slots.map { column($0, of: entity) }.joined(separator: ", ")
    let statement = try connection.statement(
      "SELECT \(columns) FROM \(table(entity)) WHERE Z_PK = ?")
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step() else { return }
    for column in slots.indices {
      guard let stored = statement.blob(at: Int32(column)) else { continue }
      files.drop(stored)
    }
  }

  /// The uniqueness constraint named by SQLite's message: `UNIQUE constraint failed:
  /// ZDOG.ZNAMEKEY`.
  ///
  /// `contains(_:)` on the message would link the regular expression engine, a megabyte.
  func constraint(named message: String, of entity: EntityBinding) -> [String] {
    let columns = message.split { $0 == " " || $0 == "," }.compactMap { word in
      word.lastIndex(of: ".").map { String(word[word.index(after: $0)...]) }
    }
    let violated = entity.uniqueness.first { unique in
      unique.slots.allSatisfy { columns.contains(column($0, of: entity)) }
    }
    return violated?.properties ?? []
  }

  func table(_ entity: EntityBinding) -> String { schema.tableNames[entity.index - offset].quoted }
  func column(_ slot: Int, of entity: EntityBinding) -> String {
    schema.columnNames[entity.index - offset][slot].quoted
  }
}
