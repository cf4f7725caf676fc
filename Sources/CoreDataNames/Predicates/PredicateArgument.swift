import Foundation
import ManagedObjects

/// Converts a value of any type to an argument of a predicate; nil for nil and `NSNull`.
///
/// - Precondition: a predicate can have such a value.
func predicateArgument(_ value: Any?) -> (any FetchPredicateArgument)? {
  switch value {
  case nil, is NSNull: return nil
  case let argument as any FetchPredicateArgument: return argument.predicateExpression
  case let number as NSNumber: return number.attributeValue
  case let text as NSString: return String(describing: text)
  case let date as NSDate:
    return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  case let expression as NSExpression: return expression.fetchExpression
  case let value?:
    if let members = members(of: value) { return aggregate(members) }
    // An optional within the value, or data and other values of Foundation's classes.
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return predicateArgument(mirror.children.first?.value) }
    guard let value = AttributeValue(value) else {
      fatalError("A predicate has no values of the type \(type(of: value)).")
    }
    return value
  }
}

/// The members of a set, an ordered set or an array; nil for another value.
func members(of value: Any?) -> [Any]? {
  switch value {
  case let set as NSSet: set.allObjects
  case let set as NSOrderedSet: set.array
  case let set as Set<AnyHashable>: set.map(\.base)
  case let array as [Any]: array
  default: nil
  }
}

private func aggregate(_ values: [Any]) -> FetchExpression {
  .aggregate(values.map { predicateArgument($0)?.predicateExpression ?? .constant(nil) })
}

extension NSNumber {
  /// The number as an attribute's value.
  var attributeValue: AttributeValue {
    if let decimal = self as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(doubleValue)
    case UInt8(ascii: "B"): return .boolean(boolValue)
    case UInt8(ascii: "Q") where uint64Value > Int64.max: return .double(doubleValue)
    default: return .integer(int64Value)
    }
  }
}
