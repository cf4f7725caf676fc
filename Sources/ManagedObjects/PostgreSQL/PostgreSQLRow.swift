#if PostgreSQL
  /// The form in which rows are received: one or more in a result, or one of a COPY.
  enum PostgreSQLRow {
    case result(PostgreSQLResult)
    case copied(PostgreSQLCopiedRow)

    /// The row without the spare memory of a result, which is ten times as large as a row.
    var compact: PostgreSQLRow {
      guard case .result(let result) = self, result.count == 1 else { return self }
      return .copied(PostgreSQLCopiedRow(copying: result))
    }
  }

  @available(*, unavailable) extension PostgreSQLRow: Sendable {}
#endif
