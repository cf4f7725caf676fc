public import DataModel
public import TextMatching

/// What the model, or an object's own rules, forbid: all of it, found before anything was saved.
///
///     do {
///       try context.save()
///     } catch let error as ValidationError {
///       for failure in error.failures { print(failure) }   // Walk 7: distance is -5.0, below 0.0.
///     }
///
/// Objects add rules by overriding `validateForInsert`, `validateForUpdate`, `validateForDelete` or
/// `validateValue(_:forKey:)`. Follows Core Data's validation errors; several come together, as
/// with `NSValidationMultipleErrorsError`.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// One thing that is forbidden.
  ///
  ///     for failure in error.failures where failure.property == "distance" {
  ///       print(failure.description)   // New Walk: distance is -5.0, below 0.0.
  ///     }
  public struct Failure: Sendable, Hashable {
    /// Why it is forbidden.
    public enum Reason: Sendable, Hashable {
      /// A required attribute has no value, or a required relationship no object.
      case missingValue
      /// The value is not of the attribute's type.
      case wrongType
      /// The number or date is below the model's minimum.
      case tooSmall(minimum: AttributeValue)
      /// The number or date is above the model's maximum.
      case tooLarge(maximum: AttributeValue)
      /// The text has fewer characters than the model's minimum.
      case tooShort(minimum: Int)
      /// The text has more characters than the model's maximum.
      case tooLong(maximum: Int)
      /// The text is not as the model's regular expression says.
      case mismatch(pattern: String)
      /// The model's regular expression is wrong, or cannot be matched here.
      case unreadablePattern(RegularExpressionError)
      /// The relationship has members, but fewer than the model's minimum.
      case tooFewMembers(count: Int, minimum: Int)
      /// The relationship has more members than the model's maximum.
      case tooManyMembers(count: Int, maximum: Int)
      /// A delete rule denies the delete as long as the relationship leads to somebody.
      case deleteDenied
      /// A rule that is not the model's, in its own words.
      case refused(String)
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// The name of the property; nil where it is about the object as a whole.
    public let property: String?
    /// The value that is forbidden, where an attribute has one.
    public let value: AttributeValue?
    /// Why it is forbidden.
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

  /// Everything that was found.
  public let failures: [Failure]

  /// Creates an error of several failures.
  ///
  ///     throw ValidationError(failures: [.init(walk, property: "duration", reason: .missingValue)])
  ///
  /// - Precondition: there is one at least.
  public init(failures: [Failure]) {
    require(!failures.isEmpty, "A validation error says what is forbidden.")
    self.failures = failures
  }

  /// Creates an error for a rule of an object's own, told in a sentence.
  ///
  ///     throw ValidationError(walk, property: "duration", "A walk ends after it began.")
  public init(_ object: ManagedObject, property: String? = nil, _ sentence: String) {
    failures = [Failure(object, property: property, reason: .refused(sentence))]
  }

  /// A sentence for each failure, a line each.
  public var description: String { failures.map(\.description).joined(separator: "\n") }
}
