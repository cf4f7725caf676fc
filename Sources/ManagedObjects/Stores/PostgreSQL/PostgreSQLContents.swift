#if PostgreSQL
  /// What a store's schema has on a server: tables, their columns' types, and indexes.
  struct PostgreSQLContents {
    /// The number of each column's type, by table and column, spelled as a model's are.
    private(set) var tables: [String: [String: UInt32]] = [:]
    private(set) var indexes: [Index] = []

    /// An index that is in use.
    struct Index {
      let number: Int64
      let table: String
      /// Whether no two rows can have the same values in its columns.
      let isUnique: Bool
      /// Its columns, the most significant first; nothing stands for an expression.
      var columns: [String]
    }

    /// Reads the catalog, which every role may, in one round trip.
    init(_ connection: PostgreSQLConnection) throws {
      let schema = PostgreSQLValue.text(connection.address.schema)
      var columns: PostgreSQLResult?
      // Of a column with a domain as its type the server gives values of the type below it.
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

    /// A name as a model spells it, whose plain names the server has in small letters.
    ///
    /// One with capitals that was made in quotation marks is none of those.
    private static func spelled(_ name: String) -> String {
      guard name.quoted == name else { return name }
      let isFolded = name.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      return isFolded ? name.uppercased() : name.quotedAlways
    }
  }
#endif
