import CommandLineKit
import DogWalkModel

/// The filter of `dogwalk list`, from its words and options.
struct WalkFilter {
  private let values: ArgumentValues
  private let words: FilterWords
  /// The period; nil for all time.
  let period: Period?
  /// The walker's name.
  private let walkerName: String?
  /// The text to search in notes.
  private let noteText: String?
  /// The keys of the required tags.
  private let tagKeys: [String]
  private let limit: Int?
  /// The additional condition.
  private let condition: WalkCondition?

  /// Reads the words and options of a run.
  ///
  /// - Parameter clock: Called only if a value depends on the time.
  /// - Throws: `ValidationError` if one cannot be read.
  init(_ run: CommandRun, clock: () throws -> WallClock) throws {
    values = run.values
    words = try FilterWords(run)
    for option in [Option.byWalker, .inNote, .meeting] {
      // Most likely an unset variable of a script, which would select all walks, or unexpected
      // ones.
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

  /// Whether it selects every walk.
  var isEmpty: Bool {
    period == nil && !namesDogs && !picksAmongDays
  }

  /// Whether it names dogs.
  var namesDogs: Bool { !words.names.isEmpty || values.contains(.ofDog) }

  /// Whether it selects walks by values other than their dogs and times.
  var picksAmongDays: Bool {
    walkerName != nil || noteText != nil || condition != nil || !tagKeys.isEmpty
  }

  /// Returns the named dogs; an empty array means all dogs.
  ///
  /// - Throws: `Complaint` with the nearest name if one does not exist.
  func dogs(_ run: CommandRun) throws -> [Dog] {
    guard namesDogs else { return [] }
    var dogs = try words.dogs(run)
    for dog in try run.dogs(named: values.all(.ofDog)) where !dogs.contains(dog) {
      dogs.append(dog)
    }
    return dogs
  }

  /// Returns the query for the walk log.
  ///
  /// - Parameters:
  ///   - dogs: The dogs whose walks are selected; empty for all.
  ///   - zone: The zone of walks without an offset of their own.
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

  /// The names of the tags, as typed.
  private var tagNames: [String] {
    (words.tags + values.all(.withTag)).map { String($0.drop { $0 == "+" }) }
  }

  /// Returns hints in case no walks were found: the most likely names for those that no walk has.
  func hints(_ run: CommandRun) throws -> [String] {
    var hints = try run.hints(aboutTags: tagNames, walker: walkerName)
    // In other programs `-n` sets a limit.
    if let noteText, run.options.contains(.limit), WordScanner.isNumber(noteText[...]) {
      hints.append("The newest \(noteText) are --limit \(noteText).")
    }
    return hints
  }

  /// The filter as a clause: `of Fido today noting "rain"`.
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
  /// Returns the query restricted to a period.
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
