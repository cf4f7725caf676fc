#if PostgreSQL
  /// The contents of a store's schema on a server: tables, column types and indexes.
  struct PostgreSQLContents {
    /// The OID of each column's type, by table and column, spelled as in the model.
    private(set) var tables: [String: [String: UInt32]] = [:]
    private(set) var indexes: [Index] = []

    /// A valid index.
    struct Index {
      let number: Int64
      let table: String
      /// Whether its columns must have unique values.
      let isUnique: Bool
      /// Its columns in order; an empty name stands for an expression.
      var columns: [String]
    }

    /// Reads the catalog, which every role may do, in one round trip.
    init(_ connection: PostgreSQLConnection) throws {
      let schema = PostgreSQLValue.text(connection.address.schema)
      var columns: PostgreSQLResult?
      // Values of a column with a domain type are sent in its base type.
      connection.queue(
        """
        SELECT c.relname::text, a.attname::text,
          coalesce(nullif(t.typbasetype, 0), t.oid)::int8
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
        JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
        WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND a.attnum > 0 AND NOT a.attisdropped
        """, [schema], onResult: { columns = $0 })
      let parts = try connection.run(
        """
        SELECT c.relname::text, i.indexrelid::int8,
          (i.indisunique AND i.indpred IS NULL)::int4::int8, coalesce(a.attname::text, '')
        FROM pg_catalog.pg_index AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
        LEFT JOIN pg_catalog.pg_attribute AS a
          ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE n.nspname = ? AND i.indisvalid AND k.position <= i.indnkeyatts
        ORDER BY i.indexrelid, k.position
        """, [schema])
      for row in 0..<(columns?.count ?? 0) {
        guard let columns, let table = columns.text(row, 0), let column = columns.text(row, 1)
        else { continue }
        tables[Self.spelled(table), default: [:]][Self.spelled(column)] =
          UInt32(truncatingIfNeeded: columns.integer(row, 2))
      }
      for row in 0..<parts.count {
        guard let table = parts.text(row, 0), let column = parts.text(row, 3) else { continue }
        let number = parts.integer(row, 1)
        if indexes.last?.number != number {
          indexes.append(
            Index(
              number: number, table: Self.spelled(table), isUnique: parts.integer(row, 2) == 1,
              columns: []))
        }
        indexes[indexes.count - 1].columns.append(Self.spelled(column))
      }
    }

    /// A name spelled as in the model; the server stores the model's plain names in lower case.
    ///
    /// A name with capitals was created in quotes and is not one of those.
    private static func spelled(_ name: String) -> String {
      guard name.quoted == name else { return name }
      let isFolded = name.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      return isFolded ? name.uppercased() : name.quotedAlways
    }
  }
#endif
