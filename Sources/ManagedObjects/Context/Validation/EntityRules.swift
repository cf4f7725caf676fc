import DataModel
import TextMatching

/// The model's validation rules for an entity's objects, extracted once per context.
final class EntityRules {
  /// An attribute with bounds; a class, since each object that is saved is checked against them.
  final class Bounds {
    let slot: Int
    let attribute: AttributeDescription
    /// The compiled regular expression for a string; or the error of compiling it.
    let pattern: Result<RegularExpression, RegularExpressionError>?
    /// The model's validation predicates.
    let conditions: [ValueCondition]

    fileprivate init(slot: Int, _ attribute: AttributeDescription, of entity: EntityBinding) {
      conditions = attribute.validationPredicates.map { ValueCondition($0, of: entity) }
      self.slot = slot
      self.attribute = attribute
      pattern = attribute.regularExpression.map { text in
        Result { () throws(RegularExpressionError) in try RegularExpression(text) }
      }
    }
  }

  /// The attributes whose values have bounds; derived attributes are excluded.
  let bounds: [Bounds]
  /// The slots of transient attributes and to-ones that must have a value.
  let requiredTransients: [Int]
  /// The to-manys with a minimum or maximum number of members.
  let counted: [EntityBinding.ToMany]
  /// The to-ones whose inverse is such a to-many, which changes with them.
  let countedFrom: [EntityBinding.ToOne]

  init(_ binding: EntityBinding, destination: (Int) -> EntityBinding) {
    var bounds: [Bounds] = []
    var requiredTransients: [Int] = []
    for (slot, content) in binding.slots.enumerated() {
      if slot >= binding.storedSlotCount, content.isRequired { requiredTransients.append(slot) }
      guard case .attribute(let attribute) = content, !attribute.isDerived, attribute.hasBounds
      else { continue }
      bounds.append(Bounds(slot: slot, attribute, of: binding))
    }
    self.bounds = bounds
    self.requiredTransients = requiredTransients
    counted = binding.toManys.filter { $0.description.isCounted }
    countedFrom = binding.toOnes.filter { toOne in
      guard case .toMany(let number) = toOne.inverse else { return false }
      return destination(toOne.destination).toManys[number].description.isCounted
    }
  }
}

extension AttributeDescription {
  /// Whether the model bounds its values.
  fileprivate var hasBounds: Bool {
    minimumValue != nil || maximumValue != nil || regularExpression != nil
      || !validationPredicates.isEmpty
  }
}

extension EntityRules.Bounds {
  /// The reason why a value is invalid for the attribute, or nil.
  ///
  /// The length of a string is counted in UTF-16 code units, as in Core Data, and the pattern must
  /// match the whole string.
  func reason(against value: AttributeValue) -> ValidationError.Failure.Reason? {
    if let reason = reasonByBounds(against: value) { return reason }
    return conditions.lazy.compactMap { $0.reason(against: value) }.first
  }

  private func reasonByBounds(against value: AttributeValue) -> ValidationError.Failure.Reason? {
    if case .string(let text) = value { return reason(against: text) }
    guard value.isNumeric else { return nil }
    if let minimum = attribute.minimumValue, minimum.isNumeric, value.compare(minimum) < 0 {
      return .tooSmall(minimum: minimum)
    }
    if let maximum = attribute.maximumValue, maximum.isNumeric, value.compare(maximum) > 0 {
      return .tooLarge(maximum: maximum)
    }
    return nil
  }

  private func reason(against text: String) -> ValidationError.Failure.Reason? {
    let length = text.utf16.count
    if let minimum = attribute.minimumValue?.wholeNumber, length < minimum {
      return .tooShort(minimum: minimum)
    }
    if let maximum = attribute.maximumValue?.wholeNumber, length > maximum {
      return .tooLong(maximum: maximum)
    }
    switch pattern {
    case .success(let pattern):
      return pattern.matches(text) ? nil : .mismatch(pattern: pattern.pattern)
    case .failure(let error): return .unreadablePattern(error)
    case nil: return nil
    }
  }
}

extension RelationshipDescription {
  /// Whether the model restricts the number of members.
  var isCounted: Bool { minCount > 0 || maxCount > 1 }

  /// The reason why a number of members is invalid, or nil.
  ///
  /// An optional relationship may have none, whatever its minimum; another one may, too, if it has
  /// no minimum.
  func reason(againstCount count: Int) -> ValidationError.Failure.Reason? {
    if count == 0, isOptional || minCount == 0 { return nil }
    if count == 0 { return .missingValue }
    if count < minCount { return .tooFewMembers(count: count, minimum: minCount) }
    if maxCount > 1, count > maxCount { return .tooManyMembers(count: count, maximum: maxCount) }
    return nil
  }
}

extension AttributeValue {
  /// Whether it is a number or a date.
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .double, .decimal, .date, .boolean: true
    case .string, .binary, .uuid, .uri: false
    }
  }

  /// The number as an integer, for lengths.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }
}
