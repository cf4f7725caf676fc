public import DataModel
public import TextMatching

/// All violations of the model's or an object's own rules, found before anything was saved.
///
///     do {
///       try context.save()
///     } catch let error as ValidationError {
///       for failure in error.failures { print(failure) }   // Walk 7: distance is -5.0, below 0.0.
///     }
///
/// Objects add rules by overriding `validateForInsert`, `validateForUpdate`, `validateForDelete` or
/// `validateValue(_:forKey:)`. Follows Core Data's validation errors; several are combined into one
/// error, as in `NSValidationMultipleErrorsError`.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// One violation of a rule.
  ///
  ///     for failure in error.failures where failure.property == "distance" {
  ///       print(failure.description)   // New Walk: distance is -5.0, below 0.0.
  ///     }
  public struct Failure: Sendable, Hashable {
    /// The rule that was violated.
    public enum Reason: Sendable, Hashable {
      /// A required attribute has no value, or a required relationship no object.
      case missingValue
      /// The value is not of the attribute's type.
      case wrongType
      /// The number or date is below the model's minimum.
      case tooSmall(minimum: AttributeValue)
      /// The number or date is above the model's maximum.
      case tooLarge(maximum: AttributeValue)
      /// The string has fewer UTF-16 code units than the model's minimum.
      case tooShort(minimum: Int)
      /// The string has more UTF-16 code units than the model's maximum.
      case tooLong(maximum: Int)
      /// The string does not match the model's regular expression.
      case mismatch(pattern: String)
      /// The model's regular expression is invalid, or not supported here.
      case unreadablePattern(RegularExpressionError)
      /// The relationship has members, but fewer than the model's minimum.
      case tooFewMembers(count: Int, minimum: Int)
      /// The relationship has more members than the model's maximum.
      case tooManyMembers(count: Int, maximum: Int)
      /// The delete rule Deny applies, since the relationship is not empty.
      case deleteDenied
      /// A custom rule was violated; with its message.
      case refused(String)
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// The name of the property; nil if the failure concerns the object as a whole.
    public let property: String?
    /// The invalid value of an attribute.
    public let value: AttributeValue?
    /// The rule that was violated.
    public let reason: Reason

    /// Creates a failure.
    public init(
      _ object: ManagedObject, property: String? = nil, value: AttributeValue? = nil,
      reason: Reason
    ) {
      objectID = object.objectID
      self.property = property
      self.value = value
      self.reason = reason
    }
  }

  /// All failures.
  public let failures: [Failure]
  /// The errors of other types that objects threw, by the indexes of their failures.
  package let foreign: [Int: any Error]

  /// Creates an error of several failures.
  ///
  ///     throw ValidationError(failures: [.init(walk, property: "duration", reason: .missingValue)])
  ///
  /// - Precondition: there is at least one failure.
  public init(failures: [Failure]) { self.init(failures: failures, foreign: [:]) }

  init(failures: [Failure], foreign: [Int: any Error]) {
    require(!failures.isEmpty, "A validation error needs at least one failure.")
    self.failures = failures
    self.foreign = foreign
  }

  /// Creates an error for a custom rule, with a message.
  ///
  ///     throw ValidationError(walk, property: "duration", "A walk ends after it began.")
  public init(_ object: ManagedObject, property: String? = nil, _ sentence: String) {
    self.init(failures: [Failure(object, property: property, reason: .refused(sentence))])
  }

  /// A sentence for each failure, one per line.
  public var description: String { failures.map(\.description).joined(separator: "\n") }
}
