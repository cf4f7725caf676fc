import DataModel

/// Setting values of existing rows for new columns, and values with a new meaning.
extension StoreMigration {
  /// The maximum number of keys in an error.
  static let maximumKeyCount = 20

  func refuseObjectsOfAbstractEntities() throws {
    for binding in mapping.destination.bindings where binding.isAbstract {
      guard let old = mapping.origins[binding.index], !old.isAbstract else { continue }
      let table = mapping.source.tableNames[old.index]
      let keys = try integers(
        "SELECT Z_PK FROM \(table.quoted) WHERE Z_ENT = \(old.number) LIMIT \(Self.maximumKeyCount)"
      )
      guard keys.isEmpty else {
        throw MigrationError.objectsOfAbstractEntity(entity: binding.name, primaryKeys: keys)
      }
    }
  }

  /// Rows of entities that the source does not have would be lost with their table.
  func refuseRowsOfNoEntity() throws {
    let staying = Set(tables.filter(\.isInPlace).compactMap(\.origin))
    try mapping.source.refuseRowsOfNoEntity(on: connection, butIn: staying)
  }

  func integers(_ sql: String) throws -> [Int64] { try connection.integers(sql) }

  // MARK: Attributes

  /// Sets the new values of a table's rows.
  func setValues(_ table: TableMigration) throws {
    let all = table.numbers.map(\.new)
    /// A condition for the rows of some entities; empty if those are all of the table's.
    func rows(_ numbers: [Int], and condition: String? = nil) -> String {
      let entities =
        Set(numbers) == Set(all) ? nil : "Z_ENT IN (\(numbers.sorted().sqlList))"
      return [entities, condition].compactMap(\.self).map { " AND " + $0 }.joined()
    }
    for column in table.columns {
      try moveBytes(of: column, in: table.table.name)
      for (numbers, value) in Self.united(column.filled.map { ($0.numbers, $0.value) }) {
        let name = column.column.name.quoted
        try update(table, [(name, value)], rows(numbers, and: "\(name) IS NULL"))
      }
    }
    // One UPDATE for all columns that are set in the same rows.
    var updates: [[Int]: [(String, AttributeValue?)]] = [:]
    for column in table.columns {
      for (numbers, value) in Self.united(column.set) {
        updates[numbers, default: []].append((column.column.name.quoted, value))
      }
    }
    for (numbers, values) in updates.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try update(table, values, rows(numbers))
    }
  }

  /// Groups entities with the same value.
  private static func united(
    _ values: [(numbers: [Int], value: AttributeValue?)]
  ) -> [(numbers: [Int], value: AttributeValue?)] {
    var united: [(numbers: [Int], value: AttributeValue?)] = []
    for (numbers, value) in values {
      if let index = united.firstIndex(where: { $0.value == value }) {
        united[index].numbers += numbers
      } else {
        united.append((numbers, value))
      }
    }
    return united
  }

  private func update(
    _ table: TableMigration, _ values: [(column: String, value: AttributeValue?)], _ rows: String
  ) throws {
    let assignments = values.map { "\($0.column) = ?" }.joined(separator: ", ")
    let statement = try connection.statement(
      """
      UPDATE \(table.table.name.quoted) SET \(assignments) WHERE Z_PK BETWEEN ? AND ?\(rows)
      """)
    try forEachRange(of: table.table.name) { keys in
      for (index, (_, value)) in values.enumerated() {
        if let value {
          statement.bind(value, at: Int32(index + 1))
        } else {
          statement.bindNull(at: Int32(index + 1))
        }
      }
      statement.bind(keys.lowerBound, at: Int32(values.count + 1))
      statement.bind(keys.upperBound, at: Int32(values.count + 2))
      try statement.run()
    }
  }

  // MARK: Large values

  /// Moves values into external files or the prefixed inline form, or back.
  private func moveBytes(of column: TableMigration.ColumnMigration, in table: String) throws {
    let name = column.column.name
    try replace(name, of: table, column.externalized) { try files.stored($0) }
    try replace(name, of: table, column.internalized) { stored in
      guard let file = ExternalDataFiles.fileName(in: stored) else {
        return Array(ExternalDataFiles.inlineValue(in: stored))
      }
      files.drop(stored)
      return try storedFiles.read(file)
    }
  }

  /// Replaces the bytes of a column row by row, with only one value in memory.
  private func replace(
    _ column: String, of table: String, _ numbers: [Int],
    with value: (UnsafeRawBufferPointer) throws -> [UInt8]
  ) throws {
    guard !numbers.isEmpty else { return }
    let next = try connection.statement(
      """
      SELECT Z_PK, \(column.quoted) FROM \(table.quoted)
      WHERE Z_PK > ? AND \(column.quoted) NOT NULL AND Z_ENT IN (\(numbers.sqlList))
      ORDER BY Z_PK LIMIT 1
      """)
    let change = try connection.statement(
      "UPDATE \(table.quoted) SET \(column.quoted) = ? WHERE Z_PK = ?")
    var key = Int64.min
    while true {
      next.bind(key, at: 1)
      guard try next.step(), let bytes = next.blob(at: 1) else { break }
      key = next.integer(at: 0)
      let replaced = try value(bytes)
      next.reset()
      change.bind(replaced, at: 1)
      change.bind(key, at: 2)
      try change.run()
    }
    next.reset()
  }

  /// Records the files of values for which the destination has no column, so that they are removed.
  func dropFilesOfRemovedValues() throws {
    for old in mapping.source.bindings {
      let new = mapping.destinationIndexes[old.index].map { mapping.destination.bindings[$0] }
      let kept = new.map { new in
        (0..<new.storedSlotCount).compactMap { mapping.origin(of: $0, in: new) }
      }
      for slot in old.externalSlots where kept?.contains(slot) != true {
        let column = mapping.sourceColumn(slot, of: old).quoted
        let statement = try connection.statement(
          """
          SELECT \(column) FROM \(mapping.source.tableNames[old.index].quoted)
          WHERE \(column) NOT NULL AND Z_ENT = \(old.number)
          """)
        defer { statement.reset() }
        while try statement.step() {
          if let stored = statement.blob(at: 0) { files.drop(stored) }
        }
      }
    }
  }

  // MARK: Derived attributes

  /// Drops the triggers of Core Data that maintain derived attributes; this library's are not in
  /// the file.
  func dropTriggers() throws {
    let statement = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'Z_DA_*'")
    var names: [String] = []
    while try statement.step() { names.append(statement.string(at: 0) ?? "") }
    statement.reset()
    for name in names { try connection.execute("DROP TRIGGER \(name.quoted)") }
  }

  /// Computes derived attributes that are new, or whose derivation has changed.
  func recalculateDerivedValues() throws {
    let changed = mapping.destination.bindings.filter { binding in
      guard mapping.origins[binding.index] != nil else { return false }
      return (0..<binding.storedSlotCount).contains { derivesAnew($0, of: binding) }
    }
    guard !changed.isEmpty else { return }
    let columns = Set(
      changed.flatMap { binding in
        (0..<binding.storedSlotCount).filter { derivesAnew($0, of: binding) }.map { slot in
          "\(mapping.table(of: binding).quoted).\(mapping.column(slot, of: binding).quoted)"
        }
      })
    let triggers = mapping.destination.derivationTriggers
    try connection.defineDerivationFunctions()
    for (owner, statement) in triggers.recalculations
    where columns.contains("\(owner.table).\(owner.column)") {
      try connection.execute(statement)
    }
  }

  private func derivesAnew(_ slot: Int, of binding: EntityBinding) -> Bool {
    guard case .attribute(let attribute) = binding.slots[slot],
      let expression = attribute.derivationExpression
    else { return false }
    guard let origin = mapping.origin(of: slot, in: binding),
      case .attribute(let old)? = mapping.origins[binding.index]?.slots[origin]
    else { return true }
    // The objects that it is derived from may be lost with an entity.
    return old.derivationExpression != expression
      || mapping.destinationIndexes.contains { $0 == nil }
  }
}

extension SQLSchema {
  /// Throws if tables to be dropped have rows of no entity, which would not be copied.
  ///
  /// - Parameter staying: the tables that are kept.
  /// - Throws: `MigrationError.rowsOfNoEntity`, `SQLiteError`.
  func refuseRowsOfNoEntity(
    on connection: Connection, butIn staying: Set<String> = []
  ) throws {
    for table in tables where !staying.contains(table.name) {
      let numbers = zip(bindings, tableNames).filter { $1 == table.name }.map { $0.0.number }
      let keys = try connection.integers(
        """
        SELECT Z_PK FROM \(table.name.quoted) WHERE Z_ENT NOT IN (\(numbers.sqlList))
        OR Z_ENT IS NULL LIMIT \(StoreMigration.maximumKeyCount)
        """)
      guard keys.isEmpty else {
        throw MigrationError.rowsOfNoEntity(table: table.name, primaryKeys: keys)
      }
    }
  }
}

extension Connection {
  /// The first column of every row as an integer.
  fileprivate func integers(_ sql: String) throws(SQLiteError) -> [Int64] {
    let statement = try statement(sql)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(at: 0)) }
    return numbers
  }
}
