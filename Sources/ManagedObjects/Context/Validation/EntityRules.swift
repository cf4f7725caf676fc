import DataModel
import TextMatching

/// What the model demands of an entity's objects before they are saved, picked out of its
/// description once a context.
final class EntityRules {
  /// An attribute with bounds; a class, as each object that is saved is held against them.
  final class Bounds {
    let slot: Int
    let attribute: AttributeDescription
    /// What a text must match, read once; or why it cannot be read.
    let pattern: Result<RegularExpression, RegularExpressionError>?
    /// The model's own predicates.
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

  /// The attributes whose values have bounds; no store works them out.
  let bounds: [Bounds]
  /// The slots of transient attributes and to-ones that must have a value.
  let requiredTransients: [Int]
  /// The to-manys that need a certain number of members.
  let counted: [EntityBinding.ToMany]
  /// The to-ones that have such a to-many at the other end, which changes with them.
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
  /// Why a value cannot be the attribute's, or nil where it can.
  ///
  /// A text is measured as Core Data does, in UTF-16 code units, and must match as a whole.
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
  /// Whether the model demands a certain number of members.
  var isCounted: Bool { !isOptional || minCount > 0 || maxCount > 1 }

  /// Why a to-many cannot have so many members, or nil where it can.
  ///
  /// An optional one may have none, whatever its minimum.
  func reason(againstCount count: Int) -> ValidationError.Failure.Reason? {
    if count == 0 { return isOptional ? nil : .missingValue }
    if count < minCount { return .tooFewMembers(count: count, minimum: minCount) }
    if maxCount > 1, count > maxCount { return .tooManyMembers(count: count, maximum: maxCount) }
    return nil
  }
}

extension AttributeValue {
  /// Whether it is a number or an instant.
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer, .double, .decimal, .date, .boolean: true
    case .string, .binary, .uuid, .uri: false
    }
  }

  /// The number as a length.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }
}
