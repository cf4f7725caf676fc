#if PostgreSQL
  import CPostgreSQL

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

  /// A row as COPY sends it in its binary format, one in each message; the first has the format's
  /// header before it, and behind the last comes an end of two bytes.
  ///
  /// Source: PostgreSQL's documentation of COPY, "Binary Format".
  final class PostgreSQLCopiedRow {
    private let bytes: UnsafeRawBufferPointer
    /// Where its count of values stands.
    private let start: Int
    /// Whether libpq has made room for it.
    private let isLibpqs: Bool

    /// Takes over what libpq gave; nil for an end, or where nothing is behind a header.
    init?(_ buffer: UnsafeMutablePointer<CChar>, count: Int, isFirst: Bool) {
      bytes = UnsafeRawBufferPointer(start: buffer, count: count)
      start = isFirst ? Self.headerSize(of: bytes) : 0
      isLibpqs = true
      guard start + 2 <= count, Self.number(bytes, start, of: Int16.self) >= 0 else { return nil }
    }

    /// Copies the first row of a result.
    init(copying result: PostgreSQLResult) {
      let values = (0..<result.columnCount).map { result.bytes(0, $0) }
      let count = values.reduce(2) { $0 + 4 + ($1?.count ?? 0) }
      let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
      var offset = 0
      func put(_ number: some FixedWidthInteger) {
        buffer.storeBytes(of: number.bigEndian, toByteOffset: offset, as: type(of: number))
        offset += MemoryLayout.size(ofValue: number)
      }
      put(Int16(truncatingIfNeeded: values.count))
      for value in values {
        put(value.map { Int32(truncatingIfNeeded: $0.count) } ?? -1)
        guard let value, let start = value.baseAddress else { continue }
        (buffer + offset).copyMemory(from: start, byteCount: value.count)
        offset += value.count
      }
      bytes = UnsafeRawBufferPointer(start: buffer, count: count)
      start = 0
      isLibpqs = false
    }

    deinit {
      if isLibpqs {
        PQfreemem(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      } else {
        bytes.deallocate()
      }
    }

    /// The signature, flags and what an extension adds.
    private static func headerSize(of bytes: UnsafeRawBufferPointer) -> Int {
      guard bytes.count >= 19 else { return bytes.count }
      return 19 + max(0, Int(number(bytes, 15, of: Int32.self)))
    }

    private static func number<Number: FixedWidthInteger>(
      _ bytes: UnsafeRawBufferPointer, _ offset: Int, of type: Number.Type
    ) -> Number {
      Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Finds the bytes of each value; NULL has no address.
    func split(
      into values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    ) throws(PostgreSQLError) {
      let count = Int(Self.number(bytes, start, of: Int16.self))
      var offset = start + 2
      guard count == values.count else { throw Self.malformed }
      for column in 0..<count {
        guard offset + 4 <= bytes.count else { throw Self.malformed }
        let length = Int(Self.number(bytes, offset, of: Int32.self))
        offset += 4
        guard length >= 0 else {
          values[column] = UnsafeRawBufferPointer(start: nil, count: 0)
          continue
        }
        guard offset + length <= bytes.count else { throw Self.malformed }
        values[column] = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        offset += length
      }
    }

    private static var malformed: PostgreSQLError {
      PostgreSQLError(state: "08P01", message: "a row came that is none")
    }
  }

  @available(*, unavailable) extension PostgreSQLCopiedRow: Sendable {}
#endif
