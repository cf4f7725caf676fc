#if PostgreSQL
  import CPostgreSQL

  /// A row in the binary COPY format, one per message; the first message starts with the format's
  /// header, and a trailer of two bytes follows the last row.
  ///
  /// Source: PostgreSQL's documentation of COPY, "Binary Format".
  final class PostgreSQLCopiedRow {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of its count of values.
    private let start: Int
    /// Whether libpq allocated the memory.
    private let isLibpqs: Bool

    /// Takes ownership of a buffer from libpq; nil for the trailer, or if nothing follows the
    /// header.
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

    /// The size of the signature, the flags and the header extension.
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
      PostgreSQLError(state: "08P01", message: "the server sent a malformed row")
    }
  }

  @available(*, unavailable) extension PostgreSQLCopiedRow: Sendable {}
#endif
