import CommandLineKit
import DogWalkModel

/// Which walks `dogwalk list` is asked for, by its words and its options.
struct WalkFilter {
  private let values: ArgumentValues
  private let words: FilterWords
  /// The period, where one is asked for.
  let period: Period?
  /// The walker's name.
  private let walkerName: String?
  /// The text looked for in notes.
  private let noteText: String?
  /// The tags that the walks have, as names are compared.
  private let tagKeys: [String]
  private let limit: Int?
  /// What the walks must meet beyond that.
  private let condition: WalkCondition?

  /// Reads the words and the options of a run.
  ///
  /// - Parameter clock: Asked where a period needs it.
  /// - Throws: `ValidationError` where one cannot be read.
  init(_ run: CommandRun, clock: () throws -> WallClock) throws {
    values = run.values
    words = try FilterWords(run)
    for option in [Option.byWalker, .inNote, .meeting] {
      // An unset variable of a script, most likely; it would be no filter at all, or an odd one.
      guard values[option].map({ !$0.allSatisfy(\.isWhitespace) }) ?? true else {
        throw ValidationError(
          "--\(option.name) is empty", hint: "Write what to look for, or leave it out.")
      }
    }
    let periods = values.given(among: Option.period.filter { $0 != .weekStart })
    if let day = words.day {
      if let option = periods.first {
        throw ValidationError(
          "--\(option.name) and \(ValidationError.quoted(words.dayText)) are two periods",
          hint: "Give one, or --since with --until.")
      }
      period = try Period(day: day.day(today: clock().now.day))
    } else {
      period =
        periods.isEmpty
        ? nil : try Period(asked: values, environment: run.environment, clock: clock())
    }
    guard words.walker == nil || !values.contains(.byWalker) else {
      throw ValidationError(
        "there is a walker among the words and in --by", hint: "Give one of them.")
    }
    walkerName = words.walker ?? values[.byWalker]
    noteText = values[.inNote]
    tagKeys =
      try words.tags.map { NameKey.of($0) }
      + values.all(.withTag).map { typed throws(ValidationError) in
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
    period == nil && !namesDogs && !picksAmongDays
  }

  /// Whether it names dogs.
  var namesDogs: Bool { !words.names.isEmpty || values.contains(.ofDog) }

  /// Whether it picks some of a dog's walks by what they are, and not by when they were.
  var picksAmongDays: Bool {
    walkerName != nil || noteText != nil || condition != nil || !tagKeys.isEmpty
  }

  /// The dogs that it names; none for all dogs.
  ///
  /// - Throws: `Complaint` where one is not there, with the nearest name.
  func dogs(_ run: CommandRun) throws -> [Dog] {
    guard namesDogs else { return [] }
    var dogs = try words.dogs(run)
    for dog in try run.dogs(named: values.all(.ofDog)) where !dogs.contains(dog) {
      dogs.append(dog)
    }
    return dogs
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
    query.walkerName = walkerName
    query.noteText = noteText
    if let period {
      (query.earliest, query.latest) = period.instantBounds
      query.isWanted = { $0.lies(in: period, zone) }
    }
    return query
  }

  /// The names of the tags, as they were typed.
  private var tagNames: [String] {
    (words.tags + values.all(.withTag)).map { String($0.drop { $0 == "+" }) }
  }

  /// What to say where it picks no walks, beside that: of names that no walk has what was meant.
  func hints(_ run: CommandRun) throws -> [String] {
    var hints = try run.hints(aboutTags: tagNames, walker: walkerName)
    // The -n of other programs.
    if let noteText, run.options.contains(.limit), WordScanner.isNumber(noteText[...]) {
      hints.append("The newest \(noteText) are --limit \(noteText).")
    }
    return hints
  }

  /// The filter in words: `of Fido today noting "rain"`.
  var reading: String {
    var parts: [String] = []
    if namesDogs { parts.append("of \(sentenceList(words.names + values.all(.ofDog)))") }
    if let day = words.dayReading { parts.append(day) }
    parts += values.given(among: Option.period.filter { $0 != .weekStart }).map(reading)
    if let walkerName { parts.append("by \(walkerName.escapingControls)") }
    if let text = values[.inNote] { parts.append("noting \(ValidationError.quoted(text))") }
    parts += tagNames.map { "+\($0.escapingControls)" }
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
