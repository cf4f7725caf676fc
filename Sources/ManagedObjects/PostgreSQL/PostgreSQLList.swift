#if PostgreSQL
  /// A list of values of one type, to be passed as one array.
  struct PostgreSQLList {
    let kind: PostgreSQLValue.Kind
    private(set) var count: Int32 = 0
    private var hasNulls = false
    private var bytes: [UInt8] = []

    /// - Parameter count: the number of values to reserve room for.
    init(_ kind: PostgreSQLValue.Kind, count: Int = 0) {
      self.kind = kind
      // Most values have 8 bytes, after 4 bytes for their length.
      bytes.reserveCapacity(12 * count)
    }

    mutating func append(integer number: Int64) { append(bits: UInt64(bitPattern: number)) }

    mutating func append(bits: UInt64) {
      count += 1
      let words = (
        UInt32(8).bigEndian, UInt32(truncatingIfNeeded: bits >> 32).bigEndian,
        UInt32(truncatingIfNeeded: bits).bigEndian
      )
      withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) {
      var text = text
      text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ value: UnsafeRawBufferPointer) {
      count += 1
      append(Int32(truncatingIfNeeded: value.count))
      bytes.append(contentsOf: value)
    }

    mutating func appendNull() {
      count += 1
      hasNulls = true
      append(Int32(-1))
    }

    /// The array: its dimensions, element type, bounds and elements.
    var value: PostgreSQLValue {
      var head = PostgreSQLList(kind)
      head.append(Int32(count == 0 ? 0 : 1))
      head.append(Int32(hasNulls ? 1 : 0))
      head.append(Int32(kind.rawValue))
      if count > 0 {
        head.append(count)
        head.append(Int32(1))
      }
      return PostgreSQLValue(kind: kind.list, bytes: head.bytes + bytes)
    }

    private mutating func append(_ number: Int32) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
#endif
