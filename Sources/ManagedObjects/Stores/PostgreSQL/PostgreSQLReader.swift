#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// A reader of a store over its connection: turns plans into SELECTs.
  ///
  /// Parts of a plan that SQL cannot express exactly are evaluated in memory; see
  /// `PushedDownCondition`.
  final class PostgreSQLReader: ReadableStore {
    let connection: PostgreSQLConnection
    let schema: SQLSchema
    /// The metadata with which the store was opened; nil while it is created or migrated.
    let opened: StoredMetadata?
    private let bindings: [EntityBinding]
    private var offset: Int { bindings[0].index }

    init(
      _ connection: PostgreSQLConnection, schema: SQLSchema, bindings: [EntityBinding],
      opened: StoredMetadata? = nil
    ) {
      self.connection = connection
      self.schema = schema
      self.bindings = bindings
      self.opened = opened
    }

    /// Runs a body and rethrows the server's errors as `PersistentStoreError`.
    func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
      try PersistentStoreError.mapping(of: connection.address) {
        do {
          return try body()
        } catch let error as PostgreSQLError where error.isOfOtherContents {
          // Usually the store was migrated or replaced. The error may have ended a transaction in
          // which nothing more can be read, so another connection looks.
          if let other = try? PostgreSQLConnection(connection.address, waiting: 0),
            let current = try? PostgreSQLStore.readMetadata(other),
            let change = opened?.change(to: current, at: connection.address.location)
          {
            throw change
          }
          throw error
        }
      }
    }

    // MARK: Rows

    func rows(for plan: FetchPlan) throws -> any RowCursor {
      let reduced = ReducedPlan(plan)
      guard reduced.isExact else { return try filteredRows(for: plan, reduced) }
      do {
        return try cursor(for: reduced.plan)
      } catch SQLTooDeep.tooDeep {
        return try filteredRows(for: plan, reduced)
      }
    }

    /// A plan reduced to what SQL expresses exactly.
    private struct ReducedPlan {
      let plan: FetchPlan
      /// Whether nothing remains to be evaluated in memory.
      let isExact: Bool

      init(_ plan: FetchPlan) {
        var reduced = plan
        let part = plan.predicate.map { PushedDownCondition(of: $0) }
        if let part { reduced.predicate = part.predicate }
        self.plan = reduced
        isExact = part?.isExact ?? true && plan.sorts.areExpressibleInSQL
      }
    }

    private func filteredRows(for plan: FetchPlan, _ reduced: ReducedPlan) throws -> FilteredRows {
      try FilteredRows(plan, of: self, bindings) { whole in
        var whole = whole
        whole.predicate = reduced.plan.predicate
        do {
          return try cursor(for: whole)
        } catch SQLTooDeep.tooDeep {
          whole.predicate = nil
          return try cursor(for: whole)
        }
      }
    }

    /// A condition that is nested too deeply for SQL.
    private enum SQLTooDeep: Error { case tooDeep }

    /// Queues reads, to be sent together with the next statement.
    ///
    /// Reads that SQL does not express exactly are left out.
    func expect(_ reads: [ExpectedPlan]) {
      for read in reads where bindings.contains(where: { $0 === read.plan.entity }) {
        let reduced = ReducedPlan(read.isCount ? Self.counted(read.plan) : read.plan)
        guard reduced.isExact else { continue }
        let select = read.isCount ? count(of: reduced) : select(for: reduced.plan)
        if let select { connection.expect(select.sql, select.values) }
      }
    }

    /// A SELECT, and the slots that its columns belong to.
    private struct Select {
      let sql: String
      let values: [PostgreSQLValue]
      var sources: [PostgreSQLCursor.Source] = []
    }

    /// The rows of a plan that SQL expresses exactly.
    private func cursor(for plan: FetchPlan) throws -> PostgreSQLCursor {
      guard let select = select(for: plan) else { throw SQLTooDeep.tooDeep }
      let rows = try mappingErrors {
        let rows = try connection.rows(select.sql, select.values)
        try checkKeys(rows.types, hasLockCount: !plan.keysOnly)
        for source in select.sources { try check(source, rows.types) }
        return rows
      }
      let isOwnerRead = plan.link.map { $0.owners.count != 1 } ?? false
      return PostgreSQLCursor(
        rows, at: connection.address, sources: select.sources,
        entityColumn: plan.keysOnly ? 1 : 2,
        ownerColumn: isOwnerRead ? rows.types.count - 1 : nil)
    }

    /// Checks that the primary key, and the lock count after it, have their type.
    private func checkKeys(_ types: [UInt32], hasLockCount: Bool) throws(PostgreSQLError) {
      for (type, name) in zip(types, hasLockCount ? ["Z_PK", "Z_OPT"] : ["Z_PK"])
      where type != PostgreSQLValue.Kind.integer.rawValue {
        throw PostgreSQLError(state: "42804", message: "the column \(name) has another type")
      }
    }

    /// Checks that the columns of an entity have the types of its slots: a table may have been
    /// altered.
    private func check(
      _ source: PostgreSQLCursor.Source, _ types: [UInt32]
    ) throws(PostgreSQLError) {
      // A result without rows may not contain the types.
      guard !types.isEmpty else { return }
      for (slot, column) in source.columns.enumerated() {
        guard types[column] != PostgreSQLValue.Kind(source.entity.kinds[slot]).rawValue
        else { continue }
        let name = schema.columnNames[source.entity.index - offset][slot]
        throw PostgreSQLError(
          state: "42804", message: "the column \(name) of \(source.entity.name) has another type")
      }
    }

    private func read(_ select: Select) throws -> PostgreSQLResult {
      try mappingErrors { try connection.read(select.sql, select.values) }
    }

    /// The SELECT for a plan's rows; nil if it is nested too deeply for SQL.
    private func select(for plan: FetchPlan) -> Select? {
      let family = plan.family
      let (columns, sources) =
        plan.keysOnly
        ? (family.count > 1 ? ["Z_PK", "Z_ENT"] : ["Z_PK"], keySources(of: family))
        : columns(of: family)
      var writer = writer(for: plan)
      let sql = writer.select(columns, for: plan)
      return writer.isTooDeep ? nil : Select(sql: sql, values: writer.boundValues, sources: sources)
    }

    private func keySources(of family: [Int]) -> [PostgreSQLCursor.Source] {
      family.map { PostgreSQLCursor.Source(entity: bindings[$0 - offset], columns: []) }
    }

    /// The columns of a whole row, and the positions of each entity's values among them.
    private func columns(of family: [Int]) -> ([String], [PostgreSQLCursor.Source]) {
      var columns = ["Z_PK", "Z_OPT"]
      if family.count > 1 { columns.append("Z_ENT") }
      // The index of each column, for entities that share some.
      var indexes: [String: Int] = [:]
      let sources = family.map { entity in
        PostgreSQLCursor.Source(
          entity: bindings[entity - offset],
          columns: schema.columnNames[entity - offset].map { name in
            if let index = indexes[name] { return index }
            indexes[name] = columns.count
            columns.append(name)
            return columns.count - 1
          })
      }
      return (columns, sources)
    }

    /// The RETURNING list of a statement that changes rows of an entity in a table with the alias
    /// `t`, and a function that reads the returned rows.
    func returning(
      _ entity: EntityBinding
    ) -> (list: String, rows: (PostgreSQLResult) -> any RowCursor) {
      let (columns, sources) = columns(of: entity.family)
      return (
        columns.map { "t.\($0.quoted)" }.joined(separator: ", "),
        { [address = connection.address] result in
          PostgreSQLCursor(
            PostgreSQLRows(result), at: address, sources: sources, entityColumn: 2,
            ownerColumn: nil)
        }
      )
    }

    func row(
      _ key: Int64, of entity: EntityBinding
    ) throws -> (entity: EntityBinding, row: PackedRow)? {
      try firstRow(of: FetchPlan(rows: [key], of: entity)).map { ($0.entity, $0.row) }
    }

    func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
      try firstRow(of: FetchPlan(lookingUp: value, at: slot, of: entity))
    }

    private func firstRow(of plan: FetchPlan) throws -> FoundRow? {
      let cursor = try rows(for: plan)
      guard try cursor.next() else { return nil }
      return (cursor.key, bindings[cursor.entity - offset], try cursor.makeRow())
    }

    // MARK: Values

    func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
      let column = schema.columnNames[entity.index - offset][slot].quoted
      let table = schema.dialect.table(schema.tableNames[entity.index - offset])
      return try mappingErrors {
        let result = try connection.run(
          "SELECT \(column) FROM \(table) WHERE Z_PK = ?", [.integer(key)])
        return result.count == 0 ? nil : result.bytes(0, 0).map { Array($0) }
      }
    }

    func values(
      _ plan: FetchPlan, _ expressions: [BoundExpression],
      _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
    ) throws {
      let reduced = ReducedPlan(plan)
      guard reduced.isExact, expressions.allSatisfy({ PushedDownCondition.canExpress($0) }),
        let result = try select(reduced.plan, expressions)
      else {
        let rows = try filteredRows(for: plan, reduced)
        while try rows.next() {
          try body(
            RowIdentity(key: rows.key, entity: rows.entity), try rows.values(expressions))
        }
        return
      }
      for row in 0..<result.count {
        let entity = plan.entity(among: bindings) {
          result.integer(row, Int32(expressions.count + 1))
        }
        try body(
          RowIdentity(key: result.integer(row, 0), entity: entity),
          expressions.indices.map { result.scalar(row, Int32($0 + 1)) })
      }
    }

    /// The keys, values and entities of rows; nil if the plan is nested too deeply for SQL.
    private func select(
      _ plan: FetchPlan, _ expressions: [BoundExpression]
    ) throws -> PostgreSQLResult? {
      var writer = writer(for: plan)
      let sql = writer.select(expressions, for: plan)
      guard !writer.isTooDeep else { return nil }
      return try mappingErrors { try connection.run(sql, writer.boundValues) }
    }

    func count(_ plan: FetchPlan) throws -> Int {
      let plan = Self.counted(plan)
      let reduced = ReducedPlan(plan)
      if reduced.isExact, let select = count(of: reduced) {
        return Int(try read(select).integer(0, 0))
      }
      let rows = try filteredRows(for: plan, reduced)
      var count = 0
      while try rows.next() { count += 1 }
      return count
    }

    /// The SELECT that counts a plan's rows; nil if it is nested too deeply for SQL.
    private func count(of reduced: ReducedPlan) -> Select? {
      var writer = writer(for: reduced.plan)
      let sql = "SELECT count(*) FROM (\(writer.select(["Z_PK"], for: reduced.plan))) AS found"
      return writer.isTooDeep ? nil : Select(sql: sql, values: writer.boundValues)
    }

    private static func counted(_ plan: FetchPlan) -> FetchPlan {
      var plan = plan
      plan.isUnordered = true
      plan.sorts = []
      return plan
    }

    private func writer(for plan: FetchPlan) -> SQLWriter {
      SQLWriter(entity: plan.entity, schema: schema, bindings: bindings)
    }
  }

  @available(*, unavailable) extension PostgreSQLReader: Sendable {}

  extension SQLWriter {
    /// The values with their types.
    var boundValues: [PostgreSQLValue] {
      values.map { value in
        switch value {
        case .key(let key): .integer(key)
        case .scalar(let scalar): .scalar(scalar)
        case .text(let text): .text(text)
        case .list(let scalars): .list(of: scalars)
        }
      }
    }
  }

  extension PostgreSQLValue {
    /// Values of one type as an array.
    fileprivate static func list(of scalars: [Scalar]) -> PostgreSQLValue {
      let kind: Kind =
        switch scalars.first {
        case .integer, nil: .integer
        case .real: .real
        case .text: .text
        case .bytes: .bytes
        }
      var list = PostgreSQLList(kind)
      for scalar in scalars {
        switch scalar {
        case .integer(let number): list.append(integer: number)
        case .real(let number): list.append(bits: number.bitPattern)
        case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { list.append($0) }
        }
      }
      return list.value
    }
  }
#endif
