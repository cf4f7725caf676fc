#if PostgreSQL
  /// The rows of a SELECT, one after another as they are received, or from a complete result.
  ///
  /// Any other statement on the connection first receives the remaining rows into memory.
  final class PostgreSQLRows {
    /// The OID of each column's type; empty for a result without columns.
    let types: [UInt32]
    /// The bytes of each value in the current row, valid as long as that is current; NULL has no
    /// address.
    let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    /// The source of the current row, which may contain further rows.
    private var current: PostgreSQLRow?
    /// The index of the current row in a result.
    private var index = -1
    /// The rows received but not yet read, the next one last.
    private var received: [PostgreSQLRow]
    /// The error that follows the received rows.
    private var failure: PostgreSQLError?
    /// The connection that further rows are received from; nil if there are none.
    private var connection: PostgreSQLConnection?

    /// The rows of a complete result.
    convenience init(_ result: PostgreSQLResult) {
      self.init(types: result.types, .result(result), from: nil)
    }

    /// A row and those received after it.
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

    /// Advances to the next row; returns false when there is none.
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

    /// An 8-byte integer; 0 for NULL.
    func integer(_ column: Int) -> Int64 {
      let bytes = values[column]
      return bytes.count == 8 ? Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) : 0
    }

    /// Receives all remaining rows into memory.
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
#endif
