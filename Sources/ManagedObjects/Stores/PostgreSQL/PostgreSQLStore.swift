#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// A store in a schema of a PostgreSQL database.
  ///
  /// There is one writer at a time: each writing transaction begins by locking the store and
  /// incrementing a counter in its metadata, like `BEGIN IMMEDIATE` in a file. Not used by two
  /// threads at once, which the coordinator's lock ensures.
  final class PostgreSQLStore: PersistentStore, TransactionalStore, @unchecked Sendable {
    let reader: PostgreSQLReader
    let model: ManagedObjectModel
    let options: PersistentStoreOptions
    let joins: [JoinBinding]
    /// The log of commands that can be undone; nil if none is kept.
    var undoLog: SQLUndoLog?
    /// The persistent history; nil if none is kept.
    var history: SQLHistory?
    /// The obstacle that makes the store read-only; nil for none, or if it was opened read-only.
    let obstacle: PersistentStoreError.WriteObstacle?
    /// How many times this store object has written to the store.
    private var ownChangeCount: Int64 = 0
    var readsAfterSave: [ExpectedPlan] = []
    /// The values that the next save writes in addition to objects.
    var valuesToKeep: [String: [UInt8]?] = [:]
    /// Whether the table of kept values was found, so that it is not looked for again.
    var isKeptTableKnown = false
    /// Whether the metadata contain marks of the last transactions: not in stores made by the first
    /// versions of this library.
    private let keepsMarks: Bool
    /// A transaction that was begun before its first write; nil for none.
    private var ahead: Ahead?
    /// Whether a state is pinned.
    private var isPinned = false

    private struct Ahead {
      /// Whether parts of it have written something, which is committed in any case.
      var isToCommit = false
      /// Whether it has ended with its connection, and nothing of it was committed.
      var isLost = false
    }

    var connection: PostgreSQLConnection { reader.connection }
    var schema: SQLSchema { reader.schema }
    /// The location, without any password.
    var location: URL { connection.address.location }

    init(
      reader: PostgreSQLReader, model: ManagedObjectModel, identity: PersistentStoreIdentity,
      bound: ModelBinding, offset: Int, options: PersistentStoreOptions,
      obstacle: PersistentStoreError.WriteObstacle? = nil, keepsMarks: Bool = false
    ) {
      self.reader = reader
      self.model = model
      self.keepsMarks = keepsMarks
      self.options = options
      self.obstacle = obstacle
      joins = bound.joins
      super.init(
        type: .postgreSQL, url: reader.connection.address.location, identity: identity,
        bindings: bound.entities, offset: offset, isReadOnly: options.isReadOnly || obstacle != nil)
    }

    var transactions: (any TransactionalStore)? { self }
    var prefersPipelining: Bool { true }
    var keeping: (any KeepingStore)? { self }
    // The server keeps no such number between two statements.
    var state: UInt32? { nil }

    // MARK: Reading

    func rows(for plan: FetchPlan) throws -> any RowCursor { try reader.rows(for: plan) }

    func row(
      _ key: Int64, of entity: EntityBinding
    ) throws -> (entity: EntityBinding, row: PackedRow)? { try reader.row(key, of: entity) }

    func row(with value: Scalar, at slot: Int, of entity: EntityBinding) throws -> FoundRow? {
      try reader.row(with: value, at: slot, of: entity)
    }

    func values(
      _ plan: FetchPlan, _ expressions: [BoundExpression],
      _ body: (_ row: RowIdentity, _ values: [Scalar?]) throws -> Void
    ) throws {
      try reader.values(plan, expressions, body)
    }

    func externalValue(at slot: Int, of entity: EntityBinding, _ key: Int64) throws -> [UInt8]? {
      try reader.externalValue(at: slot, of: entity, key)
    }

    func count(_ plan: FetchPlan) throws -> Int { try reader.count(plan) }

    // MARK: Transactions

    var isInTransaction: Bool { isPinned || ahead != nil }

    /// The first statement pins the state.
    func beginReading(expecting reads: [ExpectedPlan]) throws {
      connection.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      reader.expect(reads)
      isPinned = true
    }

    func endReading() {
      isPinned = false
      // Nothing was written, so nothing can be lost.
      options.isShortLived ? connection.endReadingLater() : connection.rollBack()
    }

    func beginWriting(expecting reads: [ExpectedPlan]) throws {
      try refuseIfReadOnly()
      try reader.mappingErrors {
        begin()
        reader.expect(reads)
        do {
          try connection.sendQueued()
        } catch {
          connection.rollBack()
          throw error
        }
        ahead = Ahead()
      }
    }

    func endWriting() throws {
      // A transaction that has saved has already ended.
      guard let ahead else { return connection.rollBack() }
      self.ahead = nil
      guard ahead.isToCommit else { return connection.rollBack() }
      try reader.mappingErrors {
        guard !ahead.isLost else {
          connection.rollBack()
          throw PostgreSQLError.lostBeforeCommit
        }
        try commit()
      }
    }

    /// Queues the beginning of a transaction that excludes other writers, to be sent with the first
    /// statement.
    ///
    /// It fails if the store was replaced or migrated since it was opened.
    private func begin() {
      let (state, values) = nextState
      connection.begin(
        waiting: options.busyTimeout, locking: connection.address.lockNumber,
        """
        UPDATE \(metadataTable) SET Z_STATE = \(state)\(keepsMarks ? Self.markSetting : "")
        RETURNING \(connection.engine.transactionNumber), Z_STATE
        """, values, keeping: keepsMarks ? newMark() : nil)
    }

    /// The expression for the incremented counter, with its values: a division by zero, and thus an
    /// error, unless the metadata are still those of this store and this model.
    private var nextState: (sql: String, values: [PostgreSQLValue]) {
      guard let opened = reader.opened else { return ("Z_STATE + 1", []) }
      var (condition, values) = ("Z_UUID = ?", [PostgreSQLValue.text(opened.uuid)])
      if case .string(let digest)? = opened.plist[StoredMetadata.digestKey] {
        // A binary property list contains ASCII texts as they are.
        condition += " AND position(? IN Z_PLIST) > 0"
        values.append(.bytes(Array(digest.utf8)))
      }
      return ("CASE WHEN \(condition) THEN Z_STATE + 1 ELSE coalesce(Z_STATE, 0) % 0 END", values)
    }

    /// Prepends the mark of a transaction to those of the previous ones.
    private static let markSetting =
      ", Z_MARKS = ? || left(Z_MARKS, \((TransactionMark.mostKept - 1) * TransactionMark.length))"

    private func newMark() -> TransactionMark {
      TransactionMark(
        text: String(UInt64.random(in: 1 << 60 ... .max), radix: 16),
        query: "SELECT position(? IN Z_MARKS) > 0, Z_STATE FROM \(metadataTable)")
    }

    private func commit() throws {
      do {
        try connection.commit()
      } catch {
        connection.rollBack()
        throw error
      }
      ownChangeCount += 1
    }

    /// Runs a body in the transaction begun by `beginWriting`, or in one of its own; rolls back the
    /// body's changes if it throws.
    ///
    /// - Parameter isPart: whether a transaction begun by `beginWriting` stays open afterwards.
    func transaction<Result>(isPart: Bool = false, _ body: () throws -> Result) throws -> Result {
      guard let ahead else {
        begin()
        let result: Result
        do {
          result = try body()
        } catch {
          connection.rollBack()
          throw error
        }
        try commit()
        return result
      }
      // Another transaction would not see what the caller has looked up in this one.
      guard !ahead.isLost else { throw PostgreSQLError.lostBeforeCommit }
      // The connection may also be lost by a body that does not throw, right after its last result.
      defer { if !connection.isInTransaction { self.ahead?.isLost = true } }
      let result = try connection.recoverably(isLast: !isPart, body)
      if isPart {
        self.ahead?.isToCommit = true
      } else {
        self.ahead = nil
        try commit()
      }
      return result
    }

    func refuseIfReadOnly() throws {
      guard isReadOnly else { return }
      if let obstacle { throw PersistentStoreError.cannotWrite(location, obstacle) }
      throw PersistentStoreError.readOnly(location)
    }

    // MARK: Writing

    func save(_ request: SaveRequest, before body: () throws -> Void) throws -> SaveResult {
      try refuseIfReadOnly()
      return try reader.mappingErrors {
        try recordedTransaction { recorder in
          var save = PostgreSQLSave(store: self, request: request, recorder: recorder)
          let result = try save.run()
          try writeHistory(recorder?.history, by: request.origin)
          try queueKept(valuesToKeep)
          try body()
          reader.expect(readsAfterSave)
          return result
        }
      }
    }

    func reserveKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
      try refuseIfReadOnly()
      return try reader.mappingErrors {
        try transaction(isPart: true) { try takeKeys(count, of: root) }
      }
    }

    /// Raises the highest key by a count; returns the first new key.
    func takeKeys(_ count: Int, of root: EntityBinding) throws -> Int64 {
      let highest = try connection.run(
        """
        UPDATE \(schema.dialect.table("Z_PRIMARYKEY"))
        SET Z_MAX = greatest(Z_MAX, (SELECT max(Z_PK) FROM \(table(root)))) + ?
        WHERE Z_ENT = ? RETURNING CAST(Z_MAX AS int8)
        """, [.integer(Int64(count)), .integer(Int64(root.number))])
      guard highest.count == 1 else {
        throw PostgreSQLError(state: "XX001", message: "Z_PRIMARYKEY lacks \(root.name)")
      }
      return highest.integer(0, 0) - Int64(count) + 1
    }

    func reopening(at url: URL) throws -> () -> Void {
      throw PersistentStoreError.unsupportedOperation(type, "be moved while they are open")
    }

    // MARK: Metadata

    func metadata() throws -> [String: PropertyList] {
      try reader.mappingErrors { try Self.readMetadata(connection).all }
    }

    func updateMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
      try refuseIfReadOnly()
      try reader.mappingErrors {
        try recordedTransaction(isPart: true) { recorder in
          try Self.changeMetadata(connection, recorder?.undo, change)
        }
      }
    }

    override var server: String? { connection.engine.name }

    override func serverConnections() -> (count: Int, most: Int)? {
      let found = try? connection.run(
        """
        SELECT count(*), current_setting('max_connections')::int8 FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
        """)
      return found.map { (Int($0.integer(0, 0)), Int($0.integer(0, 1))) }
    }

    /// The start time of the server, and the OIDs of the database and of the schema.
    ///
    /// Every role may read them, by whatever name it connects. Two servers do not start in the same
    /// microsecond, whereas their system identifiers are equal if one is a copy of the other's
    /// files.
    override func locationOnServer() -> String? {
      let found = try? connection.run(
        """
        SELECT concat_ws(' ',
          to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'),
          d.oid, c.relnamespace)
        FROM pg_catalog.pg_database AS d, pg_catalog.pg_class AS c
        WHERE d.datname = current_database() AND c.oid = to_regclass(?)
        """, [.text(metadataTable)])
      return found.flatMap { $0.count == 1 ? $0.text(0, 0) : nil }
    }

    /// How many times other clients have written to the store.
    override func changeCount() throws -> Int64 {
      try reader.mappingErrors {
        let count = try connection.run("SELECT Z_STATE FROM \(metadataTable)").integer(0, 0)
        return count &- ownChangeCount &- (ahead == nil ? 0 : 1)
      }
    }

    // MARK: Names

    /// The expression for comparing a row's optimistic-lock count, in a table with the alias `t`.
    static let lockCount = "(coalesce(t.Z_OPT, 0) & 4294967295)"
    /// The expression for an incremented lock count.
    static let nextLockCount = "(coalesce(t.Z_OPT, 0) & 4611686018427387903) + 1"

    private var metadataTable: String { schema.dialect.table("Z_METADATA") }

    func table(_ entity: EntityBinding) -> String {
      schema.dialect.table(schema.tableNames[entity.index - offset])
    }

    func column(_ slot: Int, of entity: EntityBinding) -> String {
      schema.columnNames[entity.index - offset][slot].quoted
    }

    /// The properties of the uniqueness constraint whose index has a name; empty for any other
    /// index.
    func constraint(named name: String, of entity: EntityBinding) -> [String] {
      let family = bindings.filter { $0.root == entity.root }
      for binding in family {
        for properties in binding.description.uniquenessConstraints {
          let index = SQLSchema.uniqueIndex(of: binding, on: properties).shortened(to: 63)
          if index == name || index.lowercased() == name { return properties }
        }
      }
      return []
    }
  }

  extension PostgreSQLAddress {
    /// The number of the advisory lock for writing to the store (FNV-1a).
    var lockNumber: Int64 { Int64(bitPattern: FNV1a("ManagedObjects \(schema)").value) }
  }
#endif
