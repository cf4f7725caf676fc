import CommandLineKit
import DogWalkModel

/// Which walks `dogwalk list` is asked for.
struct WalkFilter {
  private let values: ArgumentValues
  /// The period, where one is asked for.
  let period: Period?
  /// The walker's name as names are compared.
  private let walkerKey: String?
  /// The text looked for in notes, as names are compared.
  private let noteKey: String?
  /// The tags that the walks have, as names are compared.
  private let tagKeys: [String]
  private let limit: Int?
  /// What the walks must meet beyond that.
  private let condition: WalkCondition?

  /// Reads the options.
  ///
  /// - Parameter clock: Asked where a period needs it.
  /// - Throws: `ValidationError` where one cannot be read.
  init(
    _ values: ArgumentValues, environment: Environment, clock: () throws -> WallClock
  ) throws {
    self.values = values
    for option in [Option.byWalker, .inNote, .meeting] {
      // An unset variable of a script, most likely; it would be no filter at all, or an odd one.
      guard values[option].map({ !$0.allSatisfy(\.isWhitespace) }) ?? true else {
        throw ValidationError(
          "--\(option.name) is empty", hint: "Write what to look for, or leave it out.")
      }
    }
    let isAskedForPeriod = !values.given(among: Option.period).isEmpty
    period =
      isAskedForPeriod
      ? try Period(asked: values, environment: environment, clock: clock()) : nil
    walkerKey = values[.byWalker].map(NameKey.of)
    noteKey = values[.inNote].map(NameKey.of)
    tagKeys = try values.all(.withTag).map { typed throws(ValidationError) in
      NameKey.of(try TypedTags.name(typed))
    }
    condition = try values[.meeting].map { try WalkCondition($0, at: clock().now.date) }
    limit = try values[.limit].map { typed in
      guard let limit = Int(typed), limit > 0 else {
        throw ValidationError(
          "--limit cannot be \(ValidationError.quoted(typed))",
          hint: "Write --limit 10 for the newest ten.")
      }
      return limit
    }
  }

  /// Whether it lets every walk pass.
  var isEmpty: Bool {
    period == nil && walkerKey == nil && noteKey == nil && condition == nil && tagKeys.isEmpty
      && values.all(.ofDog).isEmpty
  }

  /// What to ask the log.
  ///
  /// - Parameters:
  ///   - dogs: The dogs whose walks are wanted; empty for all.
  ///   - zone: The zone of walks that have no offset of their own.
  func query(dogs: [Dog], zone: LocalZone) -> WalkQuery {
    var query = WalkQuery()
    query.dogs = dogs
    query.limit = limit
    query.tagKeys = tagKeys
    query.predicate = condition?.predicate
    if let period { (query.earliest, query.latest) = period.instantBounds }
    guard period != nil || walkerKey != nil || noteKey != nil else { return query }
    query.isWanted = { walk in
      period.map { walk.lies(in: $0, zone) } ?? true
        && walkerKey.map { $0 == walk.walkerName.map(NameKey.of) } ?? true
        && noteKey.map { walk.note.map(NameKey.of)?.hasPart($0) ?? false } ?? true
    }
    return query
  }

  /// The filter in words: `of Fido today noting "rain"`.
  var reading: String {
    var parts: [String] = []
    let dogs = values.all(.ofDog)
    if !dogs.isEmpty { parts.append("of \(sentenceList(dogs))") }
    parts += values.given(among: Option.period.filter { $0 != .weekStart }).map(reading)
    if let walker = values[.byWalker] { parts.append("by \(walker.escapingControls)") }
    if let text = values[.inNote] { parts.append("noting \(ValidationError.quoted(text))") }
    for tag in values.all(.withTag) {
      parts.append("+\(tag.escapingControls.drop { $0 == "+" })")
    }
    if let condition { parts.append("where \(condition.typed.escapingControls)") }
    return TypedWords.text(of: parts)
  }

  private func reading(_ option: Option) -> String {
    let value = values[option]?.escapingControls
    return switch option {
    case .week: "this week"
    case .lastWeek: "last week"
    case .month: value.map { "in \($0)" } ?? "this month"
    case .lastMonth: "last month"
    case .year: value.map { "in \($0)" } ?? "this year"
    case .days: value == "1" ? "today" : "in the last \(value ?? "") days"
    case .since, .until: "\(option.name) \(value ?? "")"
    default: option.name
    }
  }
}

@available(*, unavailable)
extension WalkFilter: Sendable {}

extension WalkQuery {
  /// The same walks, as far as they lie in a period.
  func within(_ period: Period, zone: LocalZone) -> WalkQuery {
    var query = self
    let bounds = period.instantBounds
    query.earliest = [query.earliest, bounds.earliest].compactMap { $0 }.max()
    query.latest = [query.latest, bounds.latest].compactMap { $0 }.min()
    let isWanted = isWanted
    query.isWanted = { $0.lies(in: period, zone) && isWanted?($0) ?? true }
    return query
  }
}

extension String {
  /// Whether a text stands somewhere in this one, byte for byte.
  ///
  /// `contains` would compare characters, and bring the library of regular expressions along.
  fileprivate func hasPart(_ part: String) -> Bool {
    var whole = self
    var part = part
    return whole.withUTF8 { whole in
      part.withUTF8 { part in
        guard let first = part.first else { return true }
        guard whole.count >= part.count else { return false }
        return (0...whole.count - part.count).contains { start in
          whole[start] == first && whole[start..<start + part.count].elementsEqual(part)
        }
      }
    }
  }
}
