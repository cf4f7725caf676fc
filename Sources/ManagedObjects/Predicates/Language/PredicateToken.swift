/// A token of a predicate's text: a word, a sign or a literal.
struct PredicateToken {
  enum Kind: Equatable {
    case end
    /// A key path, or a single name that may be a keyword.
    case name
    /// A function's name: `name:`, `name:name:`.
    case selector
    /// `$name`.
    case variable
    case text(String)
    case integer(UInt64)
    case real(Double)
    case sign(Sign)
    /// `%@`, `%K`, `%d` and the like, by the significant letter.
    case placeholder(UInt8)
  }

  var kind: Kind
  /// The keyword that a single name is, if any.
  var keyword: Keyword?
  var start: Int
  var end: Int

  enum Sign: UInt8 {
    case openParenthesis, closeParenthesis, openBrace, closeBrace, openBracket, closeBracket
    case comma, dot
    case plus, minus, times, divide, power, and, or, xor, complement, shiftLeft, shiftRight
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case not, logicalAnd, logicalOr
  }

  /// The keywords, in the order of their spellings below.
  enum Keyword: UInt8 {
    case and, or, not, any, some, all, none, `in`, between, beginsWith, endsWith, contains, like
    case matches, null, `nil`, `true`, `false`, yes, no, evaluated, subquery, cast, truePredicate
    case falsePredicate, fetch, function, ternary

    // Lines of 16 bytes each, so that comparing the first letter is a single access.
    private static let spellings: StaticString = """
      AND............
      OR.............
      NOT............
      ANY............
      SOME...........
      ALL............
      NONE...........
      IN.............
      BETWEEN........
      BEGINSWITH.....
      ENDSWITH.......
      CONTAINS.......
      LIKE...........
      MATCHES........
      NULL...........
      NIL............
      TRUE...........
      FALSE..........
      YES............
      NO.............
      SELF...........
      SUBQUERY.......
      CAST...........
      TRUEPREDICATE..
      FALSEPREDICATE.
      FETCH..........
      FUNCTION.......
      TERNARY........
      """

    /// The keyword with a spelling, in any case.
    init?(_ word: ArraySlice<UInt8>) {
      guard word.count <= 14, let first = word.first else { return nil }
      let initial = first & ~0x20
      for number in 0..<UInt8(28) {
        let spelling = Self.spellings.utf8Start + 16 * Int(number)
        guard spelling[0] == initial, spelling[word.count] == UInt8(ascii: ".") else { continue }
        if word.enumerated().allSatisfy({ spelling[$0.offset] == $0.element & ~0x20 }) {
          self.init(rawValue: number)
          return
        }
      }
      return nil
    }

    /// Whether a property with this name must be escaped with a `#`.
    var isReserved: Bool {
      switch self {
      // These are keywords only before a parenthesis.
      case .subquery, .cast, .fetch, .function, .ternary: false
      default: true
      }
    }
  }
}
