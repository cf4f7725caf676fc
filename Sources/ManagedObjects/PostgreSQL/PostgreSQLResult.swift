#if PostgreSQL
  import CPostgreSQL

  /// The result of a statement, completely in memory.
  final class PostgreSQLResult {
    private let result: OpaquePointer?
    let count: Int

    /// Takes ownership of a result.
    init(_ result: OpaquePointer?) {
      self.result = result
      count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    var columnCount: Int32 { PQnfields(result) }

    /// The command tag that the server reports: `COMMIT`.
    var command: String { String(cString: PQcmdStatus(result)) }

    func isNull(_ row: Int, _ column: Int32) -> Bool {
      PQgetisnull(result, Int32(truncatingIfNeeded: row), column) != 0
    }

    /// An 8-byte integer; 0 for NULL.
    func integer(_ row: Int, _ column: Int32) -> Int64 { Int64(bitPattern: bits(row, column)) }

    /// The 8 bytes of a number; 0 for NULL.
    func bits(_ row: Int, _ column: Int32) -> UInt64 {
      isNull(row, column) ? 0 : storedBits(row, column)
    }

    /// The 8 bytes of a number that is not NULL; 0 for a value of another length.
    func storedBits(_ row: Int, _ column: Int32) -> UInt64 {
      let bytes = storedBytes(row, column)
      return bytes.count == 8 ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) : 0
    }

    /// The bytes of a value, valid as long as the result; nil for NULL.
    func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
      isNull(row, column) ? nil : storedBytes(row, column)
    }

    /// The bytes of a value that is not NULL, valid as long as the result.
    func storedBytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
      let row = Int32(truncatingIfNeeded: row)
      return UnsafeRawBufferPointer(
        start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    /// The OID of each column's type.
    var types: [UInt32] { (0..<columnCount).map { PQftype(result, $0) } }

    func text(_ row: Int, _ column: Int32) -> String? {
      bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A value of any column type.
    func scalar(_ row: Int, _ column: Int32) -> Scalar? {
      guard let bytes = bytes(row, column) else { return nil }
      switch PQftype(result, column) {
      case PostgreSQLValue.Kind.integer.rawValue: return .integer(integer(row, column))
      case PostgreSQLValue.Kind.real.rawValue:
        return .real(Double(bitPattern: bits(row, column)))
      case PostgreSQLValue.Kind.bytes.rawValue: return .bytes(Array(bytes))
      default: return .text(Array(bytes))
      }
    }
  }

  @available(*, unavailable) extension PostgreSQLResult: Sendable {}
#endif
