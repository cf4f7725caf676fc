import DataModel
import SystemLibraries

extension FetchExpression: CustomStringConvertible {
  /// The expression in the format of predicates.
  public var description: String { format }

  var format: String {
    switch kind {
    case .constant(nil): return "NULL"
    case .constant(let value?): return value.predicateFormat
    case .object(let id): return "CAST(\(Self.quoted(id.description)), \"NSManagedObjectID\")"
    case .aggregate(let values):
      return "{\(values.map(\.format).joined(separator: ", "))}"
    case .keyPath(let path): return Self.escaped(path)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$\(name)"
    case .property(let base, let path): return "\(base.formatInside).\(Self.escaped(path))"
    case .subquery(let collection, let variable, let condition):
      return "SUBQUERY(\(collection.format), $\(variable), \(condition.predicateFormat))"
    case .function(let function, let arguments): return Self.format(function, arguments)
    case .conditional(let condition, let one, let other):
      return "TERNARY(\(condition.predicateFormat), \(one.format), \(other.format))"
    case .element(let base, let index): return "\(base.formatInside)[\(index.format)]"
    case .tooDeep: return FetchPredicate.tooDeepFormat
    }
  }

  private static func format(_ function: Function, _ arguments: [FetchExpression]) -> String {
    switch function {
    case .add, .subtract, .multiply, .divide, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .shiftLeft, .shiftRight:
      return arguments.map(\.formatInside).joined(separator: " \(function.rawValue) ")
    case .complement:
      return "~\(arguments.map(\.formatInside).joined(separator: ""))"
    case .toDate, .toNumber, .toObject:
      let inner = arguments.map(\.format).joined(separator: "")
      return "CAST(\(inner), \"\(function.rawValue)\")"
    default:
      return "\(function.rawValue)(\(arguments.map(\.format).joined(separator: ", ")))"
    }
  }

  /// The text as an operand: in parentheses if it contains an operator.
  private var formatInside: String {
    guard case .function(let function, _) = kind, function.rawValue.utf8.count <= 2 else {
      return format
    }
    return "(\(format))"
  }

  /// A key path in which reserved names are escaped with a `#`.
  private static func escaped(_ path: String) -> String {
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { !isReserved($0) }
    return isPlain
      ? path : names.map { isReserved($0) ? "#\($0)" : String($0) }.joined(separator: ".")
  }

  private static func isReserved(_ name: Substring) -> Bool {
    PredicateToken.Keyword(Array(name.utf8)[...])?.isReserved ?? false
  }

  /// A text in quotes, with quotes, backslashes and line breaks escaped.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension AttributeValue {
  /// The value in the format of predicates.
  var predicateFormat: String {
    switch self {
    case .integer(let number): String(number)
    case .double(let number): Self.format(number)
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    case .string(let text): FetchExpression.quoted(text)
    case .date(let date):
      "CAST(\(Self.format(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .decimal(let number):
      isNaN ? "NULL" : "CAST(\"\(number.description)\", \"NSDecimalNumber\")"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .uri(let url): "CAST(\(FetchExpression.quoted(url.absoluteString)), \"NSURL\")"
    case .binary(let data): "CAST(\"\(data.hexadecimal)\", \"NSData\")"
    }
  }

  /// A number that is parsed as floating-point; NaN becomes NULL.
  private static func format(_ number: Double) -> String {
    number.isFinite ? number.description : number.isNaN ? "NULL" : number < 0 ? "-1e999" : "1e999"
  }
}

extension FetchExpression.ElementIndex {
  /// The index in brackets.
  var format: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .index(let number): String(number)
    }
  }
}
