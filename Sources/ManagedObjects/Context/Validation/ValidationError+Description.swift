import DataFormats
import DataModel
import SystemLibraries

extension ValidationError.Failure: CustomStringConvertible {
  /// A sentence that names the object, the property and the value.
  ///
  /// `Walk 7: note has no value.`, `New Walk: distance is -5.0, below 0.0.`
  public var description: String {
    let entity = objectID.entity.name
    let object = objectID.primaryKey.map { "\(entity) \($0)" } ?? "New \(entity)"
    guard let property else { return "\(object): \(sentence)" }
    let subject = "\(object): \(property)"
    return switch reason {
    case .missingValue: "\(subject) has no value."
    case .wrongType: "\(subject) cannot be a value of another type."
    case .tooSmall(let minimum): "\(subject) is \(shown), below \(minimum.shown)."
    case .tooLarge(let maximum): "\(subject) is \(shown), above \(maximum.shown)."
    case .tooShort(let minimum):
      "\(subject) is \(shown), shorter than \(Self.counted(minimum, "character"))."
    case .tooLong(let maximum):
      "\(subject) is \(shown), longer than \(Self.counted(maximum, "character"))."
    case .mismatch(let pattern): "\(subject) is \(shown), which does not match \(pattern)."
    case .unreadablePattern(let error): "\(subject) cannot be checked. \(error)"
    case .tooFewMembers(let count, let minimum):
      "\(subject) has \(Self.counted(count, "member")), fewer than \(minimum)."
    case .tooManyMembers(let count, let maximum):
      "\(subject) has \(Self.counted(count, "member")), more than \(maximum)."
    case .deleteDenied: "\(subject) \(denial), so the \(entity) cannot be deleted."
    case .refused: "\(object): \(sentence)"
    }
  }

  private var sentence: String {
    if case .refused(let sentence) = reason { sentence } else { "it is not valid." }
  }

  private var denial: String {
    isToMany ? "still has members" : "still has a value"
  }

  private var isToMany: Bool {
    property.map { objectID.binding.toManysByName[$0] != nil } == true
  }

  private var shown: String { value?.shown ?? "nothing" }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension AttributeValue {
  /// The value in readable form; a long string is truncated.
  var shown: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): number.description
    case .boolean(let flag): "\(flag)"
    case .string(let text):
      text.count <= 40 ? "“\(text)”" : "“\(text.prefix(39))…”"
    case .date(let date): date.shownInUTC
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    }
  }
}

extension Date {
  /// The date and time in UTC, to the second: `2026-11-21 17:30:00 UTC`.
  var shownInUTC: String {
    // Outside of the years 1 to 9999, a calendar date is meaningless.
    guard let text = InstantText.text(of: timeIntervalSinceReferenceDate.rounded(.down)) else {
      return "\(timeIntervalSinceReferenceDate) s"
    }
    let parts = text.dropLast().split(separator: "T")
    return "\(parts[0]) \(parts[1]) UTC"
  }
}
