#if PostgreSQL
  import CPostgreSQL

  /// A statement to be sent to a server, with its values and the closures that handle its outcome.
  struct PendingStatement {
    let sql: String
    let values: [PostgreSQLValue]
    /// Converts the server's error into the one to throw.
    let onFailure: ((PostgreSQLError) -> any Error)?
    let onResult: ((PostgreSQLResult) throws -> Void)?
    /// Whether its result decides if the transaction may be committed.
    let isCheck: Bool
    /// Whether it is a read sent ahead of a later request for it.
    let isExpected: Bool

    init(
      _ sql: String, _ values: [PostgreSQLValue],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      onResult: ((PostgreSQLResult) throws -> Void)? = nil, isCheck: Bool = false,
      isExpected: Bool = false
    ) {
      self.sql = sql
      self.values = values
      self.onFailure = onFailure
      self.onResult = onResult
      self.isCheck = isCheck
      self.isExpected = isExpected
    }

    /// Whether it is an expected read of a given statement, which is requested now.
    func isExpected(_ sql: String, _ values: [PostgreSQLValue]) -> Bool {
      isExpected && self.sql == sql && self.values == values
    }

    /// The approximate number of bytes to send.
    var byteCount: Int { values.reduce(sql.utf8.count) { $0 + 8 + ($1.bytes?.count ?? 0) } }

    var isCommit: Bool { sql == "COMMIT" }

    /// Calls a body with the statement and its values in libpq's form: their number, types, bytes,
    /// lengths and formats.
    func withParameters<Result>(
      _ body: (
        UnsafePointer<CChar>, Int32, UnsafePointer<Oid>, UnsafePointer<UnsafePointer<CChar>?>,
        UnsafePointer<Int32>, UnsafePointer<Int32>
      ) -> Result
    ) -> Result {
      let types = values.map { Oid($0.kind.rawValue) }
      let lengths = values.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
      let formats = values.map { _ in Int32(1) }
      // All bytes in one array, since pointers into many arrays would not stay valid.
      var offsets: [Int?] = []
      var bytes: [UInt8] = []
      for value in values {
        offsets.append(value.bytes == nil ? nil : bytes.count)
        bytes += value.bytes ?? []
      }
      bytes.append(0)
      return bytes.withUnsafeBytes { room in
        let start = room.baseAddress!.assumingMemoryBound(to: CChar.self)
        let pointers: [UnsafePointer<CChar>?] = offsets.map { $0.map { start + $0 } }
        return body(numbered, Int32(values.count), types, pointers, lengths, formats)
      }
    }

    /// The statement with `$1`, `$2` … for its question marks, except within quoted names.
    private var numbered: String {
      var text: [UInt8] = []
      var number = 0
      var isInName = false
      for byte in sql.utf8 {
        if byte == UInt8(ascii: "\"") { isInName.toggle() }
        if byte == UInt8(ascii: "?"), !isInName {
          number += 1
          text += Array("$\(number)".utf8)
        } else {
          text.append(byte)
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  @available(*, unavailable) extension PendingStatement: Sendable {}
#endif
