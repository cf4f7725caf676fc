#if PostgreSQL
  /// A value of a parameter, in PostgreSQL's binary format.
  struct PostgreSQLValue: Equatable {
    /// The type, by its OID, which is the same in every PostgreSQL.
    enum Kind: UInt32 {
      /// Whatever type the server infers.
      case any = 0
      case bytes = 17
      case integer = 20
      case text = 25
      case real = 701
      case byteLists = 1001
      case texts = 1009
      case integers = 1016
      case reals = 1022

      /// The array type with this element type.
      var list: Kind {
        switch self {
        case .any: .any
        case .bytes, .byteLists: .byteLists
        case .integer, .integers: .integers
        case .text, .texts: .texts
        case .real, .reals: .reals
        }
      }
    }

    let kind: Kind
    /// nil for NULL.
    let bytes: [UInt8]?

    static let null = PostgreSQLValue(kind: .any, bytes: nil)

    static func integer(_ number: Int64) -> PostgreSQLValue {
      PostgreSQLValue(kind: .integer, bytes: bigEndian(UInt64(bitPattern: number)))
    }

    static func real(_ number: Double) -> PostgreSQLValue {
      PostgreSQLValue(kind: .real, bytes: bigEndian(number.bitPattern))
    }

    static func text(_ text: String) -> PostgreSQLValue {
      PostgreSQLValue(kind: .text, bytes: Array(text.utf8))
    }

    static func text(_ text: [UInt8]) -> PostgreSQLValue {
      PostgreSQLValue(kind: .text, bytes: text)
    }

    static func bytes(_ bytes: [UInt8]) -> PostgreSQLValue {
      PostgreSQLValue(kind: .bytes, bytes: bytes)
    }

    static func integers(_ numbers: [Int64]) -> PostgreSQLValue {
      var list = PostgreSQLList(.integer)
      for number in numbers { list.append(integer: number) }
      return list.value
    }

    static func texts(_ texts: [String]) -> PostgreSQLValue {
      var list = PostgreSQLList(.text)
      for text in texts { list.append(text: text) }
      return list.value
    }

    static func scalar(_ scalar: Scalar) -> PostgreSQLValue {
      switch scalar {
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .bytes(let bytes): .bytes(bytes)
      }
    }

    private static func bigEndian(_ bits: UInt64) -> [UInt8] {
      withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    }
  }

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
