/// A condition that an attribute's value must meet to be saved, with a warning for one that does
/// not.
///
///     AttributeDescription(
///       name: "number", type: .string,
///       validationPredicates: [
///         ValidationPredicate("SELF BEGINSWITH 'K'", warning: "Its number begins with K.")
///       ])
///
/// In the predicate `SELF` is the value; there are no other variables or key paths. It is not
/// evaluated for a missing value: see `isOptional`. A predicate that cannot be parsed rejects every
/// value, with the reason. It is not part of the version hash. Follows Core Data's
/// `setValidationPredicates(_:withValidationWarnings:)`.
public struct ValidationPredicate: Sendable, Hashable {
  /// The predicate's text.
  public var format: String
  /// The message of the error of a save.
  public var warning: String

  /// Creates a condition.
  public init(_ format: String, warning: String) {
    self.format = format
    self.warning = warning
  }
}
