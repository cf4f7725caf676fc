/// A condition that an attribute's value must meet to be saved, and what to say of one that does
/// not.
///
///     AttributeDescription(
///       name: "number", type: .string,
///       validationPredicates: [
///         ValidationPredicate("SELF BEGINSWITH 'K'", warning: "Its number begins with K.")
///       ])
///
/// In the predicate `SELF` is the value; nothing else is known to it. A missing value is not asked:
/// see `isOptional`. One that cannot be read refuses every value, with the reason. No part of the
/// version hash. Follows Core Data's `setValidationPredicates(_:withValidationWarnings:)`.
public struct ValidationPredicate: Sendable, Hashable {
  /// The predicate's text.
  public var format: String
  /// The sentence that a refused save says.
  public var warning: String

  /// Creates a condition.
  public init(_ format: String, warning: String) {
    self.format = format
    self.warning = warning
  }
}
