/// The lock counts of rows whose old values were restored: `MO_UNDO_VERSION`.
extension SQLUndoLog {
  /// The lock count by which entries know a row with a given current count.
  func known(_ root: EntityBinding, _ key: Int64, _ version: Int64) throws -> Int64 {
    let statement: any SQLStatement
    do {
      statement = try database.prepared(
        "SELECT KNOWN FROM \(versions) WHERE Z_ENT = ? AND Z_PK = ? AND NOW = ?")
    } catch let error as any SQLEngineError where error.lacksPartOfSchema {
      return version
    }
    defer { statement.reset() }
    statement.bind(Int64(root.number), at: 1)
    statement.bind(key, at: 2)
    statement.bind(version, at: 3)
    return try statement.step() ? statement.integer(at: 0) : version
  }

  /// The current lock counts of some rows, and those by which entries know them.
  func known(
    _ root: EntityBinding, _ keys: [Int64]
  ) throws -> [Int64: (now: Int64, known: Int64)] {
    let list = keys.map { "\($0)" }.joined(separator: ", ")
    let statement = try database.prepared(
      "SELECT Z_PK, NOW, KNOWN FROM \(versions) WHERE Z_ENT = ? AND Z_PK IN (\(list))")
    defer { statement.reset() }
    statement.bind(Int64(root.number), at: 1)
    var found: [Int64: (now: Int64, known: Int64)] = [:]
    while try statement.step() {
      found[statement.integer(at: 0)] = (statement.integer(at: 1), statement.integer(at: 2))
    }
    return found
  }

  /// Records the lock count of a row whose old values were restored; the record is kept as long as
  /// the last entry that did so.
  func note(
    _ root: EntityBinding, _ key: Int64, known: Int64, now: Int64, serial: Int64
  ) throws {
    let statement = try database.prepared(
      """
      INSERT INTO \(versions) AS noted (Z_ENT, Z_PK, KNOWN, NOW, SERIAL) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (Z_ENT, Z_PK) DO UPDATE SET KNOWN = excluded.KNOWN, NOW = excluded.NOW, SERIAL =
      CASE WHEN excluded.SERIAL < noted.SERIAL THEN noted.SERIAL ELSE excluded.SERIAL END
      """)
    statement.bind(Int64(root.number), at: 1)
    statement.bind(key, at: 2)
    statement.bind(known, at: 3)
    statement.bind(now, at: 4)
    statement.bind(serial, at: 5)
    try statement.queue()
  }
}
