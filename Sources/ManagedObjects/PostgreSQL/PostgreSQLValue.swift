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
#endif
