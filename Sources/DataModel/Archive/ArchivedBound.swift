import DataFormats
import SystemLibraries

/// A bound of an attribute's values in an archive: a comparison, and the code of the error.
///
/// `SELF >= 0` with 1620, and for a string `length >= 3` with 1670: the codes are Core Data's for
/// validation errors, and distinguish a bound set in Xcode from a condition that a program has set.
struct ArchivedBound: Sendable {
  /// The errors of a save for a value out of bounds, numbered as in Core Data.
  enum Code: Int64, Sendable {
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
  }

  /// The error for a value beyond the bound.
  let code: Code
  /// The bound.
  let value: AttributeValue

  /// Whether it is the minimum, and not the maximum.
  var isMinimum: Bool { [.numberTooSmall, .dateTooSoon, .stringTooShort].contains(code) }

  /// Whether it bounds the number of characters.
  private var isLength: Bool { [.stringTooLong, .stringTooShort].contains(code) }

  /// The comparison operator: at most, or at least.
  fileprivate var comparison: Int64 { isMinimum ? 3 : 1 }

  /// The key path that is compared with the bound, or nil for the value itself.
  fileprivate var path: String? { isLength ? "length" : nil }
}

extension AttributeDescription {
  /// The bounds in archived form, the minimum first.
  var archivedBounds: [ArchivedBound] {
    let codes: (ArchivedBound.Code, ArchivedBound.Code)
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      codes = (.numberTooSmall, .numberTooLarge)
    case .date: codes = (.dateTooSoon, .dateTooLate)
    case .string: codes = (.stringTooShort, .stringTooLong)
    default: return []
    }
    return [
      minimumValue.map { ArchivedBound(code: codes.0, value: $0) },
      maximumValue.map { ArchivedBound(code: codes.1, value: $0) },
    ].compactMap(\.self)
  }
}

extension KeyedArchiveObjects {
  /// Adds the comparison for a bound.
  mutating func add(
    _ bound: ArchivedBound, of attribute: AttributeDescription
  ) -> PropertyList {
    let value =
      bound.path.map { add(path: $0) }
      ?? add(["NSExpressionType": .integer(1)], class: "NSSelfExpression")
    let constant = add(
      ["NSExpressionType": .integer(0), "NSConstantValue": reference(to: bound.value)],
      class: "NSConstantValueExpression")
    let comparison = add(
      [
        "NSOperatorType": .integer(bound.comparison), "NSVariant": .integer(bound.comparison),
        "NSModifier": .integer(0), "NSOptions": .integer(0),
      ], class: "NSComparisonPredicateOperator")
    return add(
      [
        "NSLeftExpression": value, "NSRightExpression": constant,
        "NSPredicateOperator": comparison,
      ], class: "NSComparisonPredicate")
  }
}

extension KeyedArchive.Object {
  /// The bounds of an archived attribute; other conditions are omitted.
  func bounds(of type: AttributeDescription.AttributeType) -> [ArchivedBound] {
    zip(members("NSValidationPredicates"), members("NSValidationWarnings")).compactMap {
      guard let predicate = object(of: $0), case .integer(let number) = $1,
        let code = ArchivedBound.Code(rawValue: number),
        let constant = predicate.object("NSRightExpression")?["NSConstantValue"],
        let value = value(constant, type: type == .string ? .integer64 : type)
      else { return nil }
      let bound = ArchivedBound(code: code, value: value)
      let left = predicate.object("NSLeftExpression")
      let path = left?.members("NSArguments").first.flatMap(object(of:))?.text("NSKeyPath")
      guard path == bound.path,
        predicate.object("NSPredicateOperator")?.integer("NSOperatorType") == bound.comparison
      else { return nil }
      return bound
    }
  }
}
