#if PostgreSQL
  /// The rows that a SELECT gives, one after the other as they come from the server, or out of a
  /// whole result.
  ///
  /// Whatever else is asked over the connection meanwhile has the rest of them come into memory
  /// first.
  final class PostgreSQLRows {
    /// The number of each column's type; none where a result has no columns.
    let types: [UInt32]
    /// The bytes of each value of the row that is looked at, as long as it is; NULL has no address.
    let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    /// What has the row that is looked at, and rows behind it.
    private var current: PostgreSQLRow?
    /// The index of the row that is looked at in a result.
    private var index = -1
    /// What has been received, the next one last.
    private var received: [PostgreSQLRow]
    /// What went wrong behind the rows that have been received.
    private var failure: PostgreSQLError?
    /// Where more comes from; nil where nothing does.
    private var connection: PostgreSQLConnection?

    /// All rows of a result.
    convenience init(_ result: PostgreSQLResult) {
      self.init(types: result.types, .result(result), from: nil)
    }

    /// A row, and those that come behind it.
    init(types: [UInt32], _ first: PostgreSQLRow, from connection: PostgreSQLConnection?) {
      self.types = types
      values = .allocate(capacity: types.count)
      values.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
      received = [first]
      self.connection = connection
    }

    deinit {
      connection?.skipRows()
      values.deallocate()
    }

    /// Goes to the next row; false when there is none.
    func next() throws(PostgreSQLError) -> Bool {
      if case .result(let result)? = current, index + 1 < result.count {
        index += 1
        look(at: result)
        return true
      }
      while let row = try nextReceived() {
        current = row
        switch row {
        case .result(let result):
          index = 0
          guard result.count > 0 else { continue }
          look(at: result)
        case .copied(let row): try row.split(into: values)
        }
        return true
      }
      return false
    }

    private func nextReceived() throws(PostgreSQLError) -> PostgreSQLRow? {
      if let row = received.popLast() { return row }
      if let failure {
        self.failure = nil
        throw failure
      }
      guard let connection else { return nil }
      do {
        if let row = try connection.nextRow() { return row }
        self.connection = nil
        return nil
      } catch {
        self.connection = nil
        throw error
      }
    }

    private func look(at result: PostgreSQLResult) {
      for column in values.indices {
        let number = Int32(truncatingIfNeeded: column)
        let bytes = result.storedBytes(index, number)
        values[column] =
          bytes.isEmpty && result.isNull(index, number)
          ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes
      }
    }

    /// A whole number of 8 bytes; 0 where there is none.
    func integer(_ column: Int) -> Int64 {
      let bytes = values[column]
      return bytes.count == 8 ? Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) : 0
    }

    /// Has all that is still to come come into memory.
    func takeRest() {
      guard let connection else { return }
      self.connection = nil
      do {
        while let next = try connection.nextRow() { received.append(next.compact) }
      } catch {
        failure = error
      }
      received.reverse()
    }
  }

  @available(*, unavailable) extension PostgreSQLRows: Sendable {}

  /// What the server sends of rows: one or more of a result, or one of a COPY.
  enum PostgreSQLRow {
    case result(PostgreSQLResult)
    case copied(PostgreSQLCopiedRow)

    /// The same without the room for more that a result has, which is ten times what a row takes.
    fileprivate var compact: PostgreSQLRow {
      guard case .result(let result) = self, result.count == 1 else { return self }
      return .copied(PostgreSQLCopiedRow(copying: result))
    }
  }

  @available(*, unavailable) extension PostgreSQLRow: Sendable {}
#endif
