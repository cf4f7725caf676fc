import DataModel

extension FetchPredicate: CustomStringConvertible {
  /// The predicate as text; reading it gives an equal predicate, unless parentheses and operands
  /// nest in it more than 100 deep, which no text may.
  ///
  ///     FetchPredicate.comparison("dog.name", .equal, .string("Fido")).predicateFormat
  ///     // dog.name == "Fido"
  ///
  /// `NONE` prints as `NOT ANY`. A compound of one condition prints as that condition, one of none
  /// as what it says, and an object is named by its URI, which reads as a cast of it: these mean
  /// the same and are not equal.
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

  /// What stands for a part that was not kept; it cannot be read.
  static let tooDeepFormat = "(nested too deeply)"

  /// The same as `predicateFormat`.
  public var description: String { predicateFormat }

  private static func format(
    _ parts: [FetchPredicate], _ separator: String, ifEmpty: String
  ) -> String {
    guard let first = parts.first else { return ifEmpty }
    return parts.count == 1
      ? first.predicateFormat : parts.map(\.formatInside).joined(separator: separator)
  }

  /// The text as part of another predicate: in parentheses where it is several conditions.
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
  /// How the operator is written.
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
