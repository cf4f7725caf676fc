#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// Creating stores on a server from other stores.
  extension PostgreSQLStore {
    /// Creates a store with all contents of another one of its model, including UUID and keys.
    ///
    /// It is created as a whole, or not at all.
    ///
    /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` if a store or other tables exist
    ///   already.
    static func make(
      at url: URL, from source: any RowStore, _ model: ManagedObjectModel,
      _ options: PersistentStoreOptions
    ) throws {
      try connected(url, options) { connection in
        let metadata = try source.metadata()
        do {
          try exclusively(connection) {
            guard try isEmpty(connection) else {
              throw PersistentStoreError(errno: EEXIST, at: connection.address.location)
            }
            try refuseOtherEncodings(connection)
            connection.queue(waitForProgram)
            let bound = ModelBinding(model, store: source.identity)
            let schema = try makeTables(connection, model, bound, metadata)
            let store = PostgreSQLStore(
              reader: PostgreSQLReader(connection, schema: schema, bindings: bound.entities),
              model: model, identity: source.identity, bound: bound, offset: 0, options: options)
            try StoreTransfer(source: source).fill(store)
          }
        } catch let error as PostgreSQLError where error.isConcurrentCreation {
          throw PersistentStoreError(errno: EEXIST, at: connection.address.location)
        }
      }
    }
  }

  extension PostgreSQLStore: KeyedStore {
    // In the transaction that creates the store.
    func fill(_ request: SaveRequest) throws {
      var save = PostgreSQLSave(store: self, request: request, recorder: nil)
      _ = try reader.mappingErrors { try save.run() }
    }

    func highestGivenKey(of root: EntityBinding) throws -> Int64 {
      let found = try reader.mappingErrors {
        try connection.run(
          "SELECT Z_MAX FROM \(schema.dialect.table("Z_PRIMARYKEY")) WHERE Z_ENT = ?",
          [.integer(Int64(root.number))])
      }
      return found.count == 0 ? 0 : found.integer(0, 0)
    }

    func advanceHighestKey(to key: Int64, of root: EntityBinding) throws {
      _ = try reader.mappingErrors {
        try connection.run(
          """
          UPDATE \(schema.dialect.table("Z_PRIMARYKEY")) SET Z_MAX = greatest(Z_MAX, ?)
          WHERE Z_ENT = ?
          """, [.integer(key), .integer(Int64(root.number))])
      }
    }
  }
#endif
