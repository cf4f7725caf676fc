/// A start and an end that are not both clock times: `from 8 to 9`, `2h ago to 1h ago`, `30m until
/// 17:40`.
///
///     LooseRange(TypedWords("8 am to 9"), clock: clock)?.readings   // ["8am-9am"]
struct LooseRange: Hashable, Sendable {
  /// The words as typed.
  let text: String
  /// What to write instead: one range or several, each of which can be read.
  let readings: [String]

  /// What stands at one end.
  private enum Kind { case clock, hour, ago, dated, now, length }

  /// One end as typed.
  private struct End {
    let kind: Kind
    let text: String
  }

  /// Words before an end that follow a length.
  private static let endings = ["until", "till", "til", "to", "ending", "ended"]

  /// Words that separate a start from an end.
  static let separators = WrittenSpan.separators + endings

  /// Reads the beginning of words; `nil` if it is no such range, or a complete one.
  init?(_ words: TypedWords, clock: WallClock) {
    let apart = WrittenSpan.apart(words.lowercased.prefix(14))
    guard apart.contains(where: { $0 == "and" || Self.separators.contains($0) }) else {
      return nil
    }
    var rest = apart[...]
    var isBetween = WrittenSpan.take(["between"], from: &rest)
    let isOpened = isBetween || WrittenSpan.take(["from"], from: &rest)
    var day = Self.takeDay(from: &rest)
    if !isOpened {
      isBetween = WrittenSpan.take(["between"], from: &rest)
      _ = isBetween || WrittenSpan.take(["from"], from: &rest)
    }
    guard let start = Self.takeEnd(from: &rest) else { return nil }
    if start.kind == .length {
      guard WrittenSpan.take(Self.endings, from: &rest) else { return nil }
      _ = WrittenSpan.take(["at"], from: &rest)
    } else {
      let separators = isBetween ? ["and"] : WrittenSpan.separators
      guard WrittenSpan.take(separators, from: &rest) else { return nil }
    }
    guard let end = Self.takeEnd(from: &rest), end.kind != .length else { return nil }
    // Two clock times are no loose range.
    guard start.kind != .clock || end.kind != .clock && end.kind != .now else { return nil }
    if day == nil { day = Self.takeDay(from: &rest) }
    let readings = Self.readings(start, end, on: day, clock)
    guard !readings.isEmpty else { return nil }
    let count = apart.count - rest.count
    let isWhole = apart.count == min(14, words.original.count)
    text = TypedWords.text(of: isWhole ? words.original.prefix(count) : apart.prefix(count))
    self.readings = readings
  }

  /// Removes a day from the beginning of words, and returns its text.
  private static func takeDay(from words: inout ArraySlice<String>) -> String? {
    let before = words
    guard WrittenSpan.takeDay(from: &words) != nil else { return nil }
    return TypedWords.text(of: before.prefix(before.count - words.count))
  }

  /// Removes an end from the beginning of words.
  private static func takeEnd(from words: inout ArraySlice<String>) -> End? {
    for count in stride(from: min(words.count, WrittenWhen.greatestWordCount), through: 1, by: -1) {
      let beginning = words.prefix(count)
      let next = words.dropFirst(count).first
      guard let kind = Self.kind(of: beginning, before: next) else { continue }
      words.removeFirst(count)
      return End(
        kind: kind, text: WrittenClock.joiningHalves(in: TypedWords.text(of: beginning)))
    }
    return nil
  }

  /// Returns what words are; `nil` if they are no end.
  private static func kind(of words: ArraySlice<String>, before next: String?) -> Kind? {
    guard let first = words.first else { return nil }
    if let clock = WrittenClock(words: words) {
      return clock.offset == nil && !clock.hasSeconds ? .clock : nil
    }
    if words.last == "ago", let ago = WrittenDuration(words: words.dropLast()) {
      return ago.isClockTime && !ago.isBareNumber ? .ago : nil
    }
    if words.count == 1 {
      if first == "now" { return .now }
      if WrittenTime(dated: first) != nil { return .dated }
      if WordScanner.isNumber(first[...]), let hour = Int(first), hour < 24 {
        let hasUnit = next.map {
          WrittenDuration.Unit($0) != nil || Distance(words: [first, $0]) != nil
        }
        return hasUnit ?? false ? nil : .hour
      }
    }
    guard let length = WrittenDuration(words: words), length.isClockTime, !length.isBareNumber
    else { return nil }
    return .length
  }

  // MARK: Readings

  /// Returns what to write for a start and an end; nothing if that is ambiguous.
  private static func readings(
    _ start: End, _ end: End, on day: String?, _ clock: WallClock
  ) -> [String] {
    let readings: [String]
    switch (start.kind, end.kind) {
    case (.length, .now):
      return day == nil ? [start.text] : []
    case (.length, .clock), (.length, .ago):
      readings = range(of: start, until: end, on: day, clock)
    case (.ago, .ago), (.ago, .clock), (.ago, .now), (.clock, .ago):
      readings = day == nil ? range(from: start, to: end, clock) : []
    case (.dated, .clock), (.dated, .now), (.dated, .dated):
      readings = day == nil ? dated(start.text, end) : []
    case (.hour, .hour), (.hour, .clock), (.hour, .now), (.clock, .hour):
      let prefix = day.map { "\($0) " } ?? ""
      readings = hours(start, end).map { prefix + $0 }
    default:
      return []
    }
    return readings.filter { WrittenSpan(words: TypedWords($0).lowercased[...])?.exists ?? false }
  }

  /// Returns `17:10-17:40` for `30m until 17:40`.
  private static func range(
    of length: End, until end: End, on day: String?, _ clock: WallClock
  ) -> [String] {
    let text = day.map { "\($0) \(end.text)" } ?? end.text
    guard let finish = moment(text, clock),
      let written = WrittenDuration(words: TypedWords(length.text).lowercased),
      let seconds = try? written.seconds()
    else { return [] }
    let start = finish.adding(seconds: -Double(seconds))
    return range(from: clock.zone.moment(at: start.date), to: finish, clock)
  }

  /// Returns `16:00-17:00` for `2h ago to 1h ago`, and `17:00-now` for `an hour ago till now`.
  private static func range(from start: End, to end: End, _ clock: WallClock) -> [String] {
    guard let begin = moment(start.text, clock), let finish = moment(end.text, clock) else {
      return []
    }
    return range(from: begin, to: finish, clock, endsNow: end.kind == .now)
  }

  /// Returns a range of moments, less than a day, as clock times with the day if it is not today.
  private static func range(
    from begin: Moment, to finish: Moment, _ clock: WallClock, endsNow: Bool = false
  ) -> [String] {
    let seconds = finish.secondsSince1970 - begin.secondsSince1970
    guard (60..<86_400).contains(seconds),
      finish.secondsSince1970 <= clock.now.secondsSince1970
    else { return [] }
    let today = clock.now.day
    let day =
      begin.day == today
      ? "" : begin.day == today.adding(days: -1) ? "yesterday " : "\(begin.day) "
    return ["\(day)\(begin.time)-\(endsNow ? "now" : "\(finish.time)")"]
  }

  /// Returns the instant that a text means.
  private static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    guard let written = WrittenWhen(words: TypedWords(text).lowercased[...]),
      case .instant(let moment)? = try? written.when(clock: clock)
    else { return nil }
    return moment
  }

  /// Returns `2026-11-20 18:00-18:30` for `2026-11-20T18:00 to 18:30`.
  private static func dated(_ start: String, _ end: End) -> [String] {
    let parts = start.split(separator: "t")
    guard parts.count == 2 else { return [] }
    let begin = "\(parts[0]) \(parts[1])"
    guard end.kind == .dated else { return ["\(begin)-\(end.text)"] }
    let others = end.text.split(separator: "t")
    guard others.count == 2 else { return [] }
    return [
      others[0] == parts[0]
        ? "\(begin)-\(others[1])" : "\(begin) to \(others[0]) \(others[1])"
    ]
  }

  /// Returns `8:00-9:00` and `20:00-21:00` for `8 to 9`, and `8am-9am` for `8 to 9am`.
  private static func hours(_ start: End, _ end: End) -> [String] {
    guard let begin = time(of: start) else { return [] }
    if end.kind == .now { return ["\(reading(begin))-now"] }
    guard let finish = time(of: end) else { return [] }
    if [start, end].contains(where: { WrittenClock($0.text)?.hasHalf ?? false }) {
      return [MistypedWord.repaired("\(start.text)-\(end.text)")].compactMap { $0 }
    }
    let noon = 12 * 3600
    if begin < finish {
      let morning = "\(reading(begin))-\(reading(finish))"
      guard finish.secondsSinceMidnight < noon, begin.hour > 0 else { return [morning] }
      return [morning, "\(reading(begin, after: noon))-\(reading(finish, after: noon))"]
    }
    // The 20 of `20 till 18:40` is more likely a length than an hour.
    guard start.kind != .hour || begin.hour <= 12 else { return [] }
    // From 11 to 1 is two hours.
    let isAfternoon = begin.secondsSinceMidnight <= noon && finish.secondsSinceMidnight < noon
    return ["\(reading(begin))-\(reading(finish, after: isAfternoon ? noon : 0))"]
  }

  /// Returns the time of day of an end: 8:00 for `8`.
  private static func time(of end: End) -> ClockTime? {
    if end.kind == .hour { return Int(end.text).flatMap { ClockTime(hour: $0, minute: 0) } }
    return try? WrittenClock(words: TypedWords(end.text).lowercased[...])?.time()
  }

  /// Returns a time a number of seconds later, as people type it: `8:00`.
  private static func reading(_ time: ClockTime, after seconds: Int = 0) -> String {
    let later = ClockTime(secondsSinceMidnight: time.secondsSinceMidnight + seconds)
    return "\(later.hour):\(later.minute.padded(to: 2))"
  }
}
