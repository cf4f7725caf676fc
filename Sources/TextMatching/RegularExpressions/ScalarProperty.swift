/// A property of scalars in a regular expression: `\d`, `[:alpha:]`, `\p{Lu}`.
///
/// The data come from Swift's standard library, the definitions from ICU.
enum ScalarProperty: Sendable, Hashable {
  case digit, word, space, horizontalSpace, verticalSpace
  case alphabetic, uppercase, lowercase, punctuation, control, hexDigit, alphanumeric, graph, print
  case blank, ascii, any, assigned
  /// A general category by its two letters, or a group of categories by one.
  case category(UInt8, UInt8)

  func holds(_ value: UInt32) -> Bool {
    switch self {
    case .any: return true
    case .ascii: return value < 0x80
    case .verticalSpace: return Self.isVerticalSpace(value)
    default: break
    }
    // The UTF-8 reader yields only scalars.
    guard let scalar = Unicode.Scalar(value) else { return false }
    let properties = scalar.properties
    switch self {
    case .digit: return Self.isIn(properties.generalCategory, "Nd")
    case .word:
      return properties.isAlphabetic || Self.isIn(properties.generalCategory, "M")
        || Self.isIn(properties.generalCategory, "Nd")
        || Self.isIn(properties.generalCategory, "Pc") || value == 0x200C || value == 0x200D
    case .space: return properties.isWhitespace
    case .horizontalSpace, .blank:
      return value == 9 || Self.isIn(properties.generalCategory, "Zs")
    case .alphabetic: return properties.isAlphabetic
    case .uppercase: return properties.isUppercase
    case .lowercase: return properties.isLowercase
    case .punctuation: return Self.isIn(properties.generalCategory, "P")
    case .control: return Self.isIn(properties.generalCategory, "Cc")
    case .hexDigit:
      return properties.isHexDigit || Self.isIn(properties.generalCategory, "Nd")
    case .alphanumeric:
      return properties.isAlphabetic || Self.isIn(properties.generalCategory, "Nd")
    case .graph, .print:
      let category = properties.generalCategory
      let isBlank = self == .print && Self.isIn(category, "Zs")
      return isBlank
        || !(properties.isWhitespace || Self.isIn(category, "Cc") || Self.isIn(category, "Cs")
          || Self.isIn(category, "Cn"))
    case .assigned: return !Self.isIn(properties.generalCategory, "Cn")
    case .category(let group, let kind):
      let code = Self.code(properties.generalCategory)
      return code.0 == group && (kind == 0 || code.1 == kind)
    case .any, .ascii, .verticalSpace: return false
    }
  }

  /// Whether a scalar is a line break, which `.` excludes and `\v` matches.
  static func isVerticalSpace(_ value: UInt32) -> Bool {
    0xA...0xD ~= value || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  /// The property with a name in `\p{…}` or `[:…:]`; nil if there is none.
  ///
  /// Case, blanks, `_` and `-` are ignored.
  init?(name: String) {
    let name = String(
      decoding: name.utf8.filter { ![0x20, 0x2D, 0x5F].contains($0) }
        .map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    let letters = Array(name.utf8)
    switch name {
    case "digit", "decimalnumber": self = .digit
    case "word": self = .word
    case "space", "whitespace", "whitespaceproperty": self = .space
    case "blank": self = .blank
    case "alpha", "alphabetic": self = .alphabetic
    case "upper", "uppercase": self = .uppercase
    case "lower", "lowercase": self = .lowercase
    case "punct", "punctuation": self = .punctuation
    case "cntrl", "control": self = .control
    case "xdigit": self = .hexDigit
    case "alnum": self = .alphanumeric
    case "graph": self = .graph
    case "print": self = .print
    case "ascii": self = .ascii
    case "any": self = .any
    case "assigned": self = .assigned
    case "letter": self = .category(0x4C, 0)
    case "mark": self = .category(0x4D, 0)
    case "number": self = .category(0x4E, 0)
    case "symbol": self = .category(0x53, 0)
    case "separator": self = .category(0x5A, 0)
    case "other": self = .category(0x43, 0)
    case "uppercaseletter": self = .category(0x4C, 0x75)
    case "lowercaseletter": self = .category(0x4C, 0x6C)
    case "titlecaseletter": self = .category(0x4C, 0x74)
    default:
      let groups: [UInt8: StaticString] = [
        0x4C: "ultmo", 0x4D: "nce", 0x4E: "dlo", 0x50: "cdseifo", 0x53: "mcko", 0x5A: "slp",
        0x43: "cfson",
      ]
      guard let first = letters.first, letters.count <= 2, let kinds = groups[first & 0xDF] else {
        return nil
      }
      if letters.count == 1 {
        self = .category(first & 0xDF, 0)
      } else if kinds.description.utf8.contains(letters[1]) {
        self = .category(first & 0xDF, letters[1])
      } else {
        return nil
      }
    }
  }

  private static func isIn(
    _ category: Unicode.GeneralCategory, _ name: StaticString
  ) -> Bool {
    let code = code(category)
    return code.0 == name.utf8Start[0]
      && (name.utf8CodeUnitCount == 1 || code.1 == name.utf8Start[1])
  }

  /// The two letters of a category: the group in upper case, the category in lower case.
  private static func code(_ category: Unicode.GeneralCategory) -> (UInt8, UInt8) {
    let name: StaticString =
      switch category {
      case .uppercaseLetter: "Lu"
      case .lowercaseLetter: "Ll"
      case .titlecaseLetter: "Lt"
      case .modifierLetter: "Lm"
      case .otherLetter: "Lo"
      case .nonspacingMark: "Mn"
      case .spacingMark: "Mc"
      case .enclosingMark: "Me"
      case .decimalNumber: "Nd"
      case .letterNumber: "Nl"
      case .otherNumber: "No"
      case .connectorPunctuation: "Pc"
      case .dashPunctuation: "Pd"
      case .openPunctuation: "Ps"
      case .closePunctuation: "Pe"
      case .initialPunctuation: "Pi"
      case .finalPunctuation: "Pf"
      case .otherPunctuation: "Po"
      case .mathSymbol: "Sm"
      case .currencySymbol: "Sc"
      case .modifierSymbol: "Sk"
      case .otherSymbol: "So"
      case .spaceSeparator: "Zs"
      case .lineSeparator: "Zl"
      case .paragraphSeparator: "Zp"
      case .control: "Cc"
      case .format: "Cf"
      case .surrogate: "Cs"
      case .privateUse: "Co"
      case .unassigned: "Cn"
      @unknown default: "Cn"
      }
    return (name.utf8Start[0], name.utf8Start[1])
  }
}
