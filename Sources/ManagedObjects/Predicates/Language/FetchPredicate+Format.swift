import DataModel

extension FetchPredicate: CustomStringConvertible {
  /// The predicate as text, whose parsing returns an equal predicate.
  ///
  /// Only if its parentheses and operands are nested more than 100 levels deep does the parser
  /// reject it.
  ///
  ///     FetchPredicate.comparison("dog.name", .equal, .string("Fido")).predicateFormat
  ///     // dog.name == "Fido"
  ///
  /// `NONE` is written as `NOT ANY`. A compound of one condition is written as that condition, an
  /// empty one as its truth value, and an object as a cast of its URI: these are equivalent, but
  /// not equal.
  public var predicateFormat: String {
    switch kind {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .compare(let comparison): comparison.format
    case .all(let parts): Self.format(parts, " AND ", ifEmpty: "TRUEPREDICATE")
    case .any(let parts): Self.format(parts, " OR ", ifEmpty: "FALSEPREDICATE")
    case .not(let part): "NOT \(part.formatInside)"
    case .tooDeep: Self.tooDeepFormat
    }
  }

  /// The text for a part that was dropped; it cannot be parsed.
  static let tooDeepFormat = "(nested too deeply)"

  /// The same text as `predicateFormat`.
  public var description: String { predicateFormat }

  private static func format(
    _ parts: [FetchPredicate], _ separator: String, ifEmpty: String
  ) -> String {
    guard let first = parts.first else { return ifEmpty }
    return parts.count == 1
      ? first.predicateFormat : parts.map(\.formatInside).joined(separator: separator)
  }

  /// The text as a part of another predicate: in parentheses if it has several conditions.
  private var formatInside: String {
    switch kind {
    case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1:
      "(\(predicateFormat))"
    case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
      parts[0].formatInside
    default: predicateFormat
    }
  }
}

extension FetchPredicate.Comparison {
  fileprivate var format: String {
    let before =
      switch modifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return "\(before)\(left.format) \(`operator`.format)\(options.format) \(right.format)"
  }
}

extension FetchPredicate.Operator {
  /// The spelling of the operator.
  var format: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .between: "BETWEEN"
    case .in: "IN"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .like: "LIKE"
    case .matches: "MATCHES"
    }
  }
}

extension FetchPredicate.Options {
  fileprivate var format: String {
    guard !isEmpty else { return "" }
    var letters = ""
    if contains(.caseInsensitive) { letters += "c" }
    if contains(.diacriticInsensitive) { letters += "d" }
    if contains(.normalized) { letters += "n" }
    return "[\(letters)]"
  }
}
