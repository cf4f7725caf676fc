import CommandLineKit

/// A start and an end as typed: `18:00-18:40`, `from 18:00 till 18:40 yesterday`, `18:00-now`.
///
///     let span = WrittenSpan(words: ["mon", "18:00", "to", "18:40"])
///     try span?.times(clock: clock).seconds   // 2400
///
/// A day may precede or follow it. An end with an earlier time than the start is on the next day.
struct WrittenSpan: Hashable, Sendable {
  private let day: WrittenDay?
  private let start: WrittenClock
  private let endDay: WrittenDay?
  /// The end; `nil` for `now`.
  private let end: WrittenClock?

  /// The number of words of the longest form: `between last tuesday 8 pm and last tuesday 9 pm`.
  static let greatestWordCount = 10

  /// Reads words in lower case; `nil` if they do not have the form of a span.
  init?(words: ArraySlice<String>) {
    guard words.count <= Self.greatestWordCount else { return nil }
    var rest = Self.apart(words)[...]
    guard rest.count > 2 else { return nil }
    var isBetween = Self.take(["between"], from: &rest)
    var isOpened = isBetween || Self.take(["from"], from: &rest)
    _ = !isOpened && Self.take(["on"], from: &rest)
    var day = Self.takeDay(from: &rest)
    if !isOpened {
      isBetween = Self.take(["between"], from: &rest)
      isOpened = isBetween || Self.take(["from"], from: &rest)
    }
    if !isOpened { _ = day != nil && Self.take(["at"], from: &rest) }
    guard let start = Self.takeClock(from: &rest),
      Self.take(isBetween ? ["and"] : Self.separators, from: &rest)
    else { return nil }
    let endsNow = Self.take(["now"], from: &rest)
    let endDay = endsNow ? nil : Self.takeDay(from: &rest)
    let end = endsNow ? nil : Self.takeClock(from: &rest)
    guard end != nil || endsNow else { return nil }
    if !rest.isEmpty {
      guard day == nil, endDay == nil else { return nil }
      _ = Self.take(["on"], from: &rest)
      day = Self.takeDay(from: &rest)
      guard day != nil, rest.isEmpty else { return nil }
    }
    self.day = day
    self.start = start
    self.endDay = endDay
    self.end = end
  }

  /// The words and signs between a start and an end.
  static let separators = ["to", "till", "til", "until", "-", "–", "—", ".."]

  /// Returns the words, with `18:00-18:40`, `18:00..18:40` and the `am-9` of `8 am-9 am` split into
  /// three.
  static func apart(_ words: ArraySlice<String>) -> [String] {
    var apart: [String] = []
    for word in words {
      if let (start, end) = ends(of: word) {
        apart += [start, "-", end]
      } else if let (half, end) = halfAndEnd(of: word, after: apart.last) {
        apart += [half, "-", end]
      } else {
        apart.append(word)
      }
    }
    return apart
  }

  /// Returns the two clock times of `18:00-18:40`; the second one may be `now`.
  private static func ends(of word: String) -> (String, String)? {
    let scalars = word.unicodeScalars
    guard
      let mark = scalars.firstIndex(where: { $0 == "-" || $0 == "–" || $0 == "—" || $0 == "." })
    else { return nil }
    var rest = scalars[scalars.index(after: mark)...]
    // A single full stop is part of another form, `18.30`.
    if scalars[mark] == "." { guard rest.popFirst() == "." else { return nil } }
    let (start, end) = (String(word[..<mark]), String(rest))
    guard WrittenClock(words: [start]) != nil else { return nil }
    if end == "now" { return (start, end) }
    guard let last = WrittenClock(words: [end]), last.offset == nil else { return nil }
    return (start, end)
  }

  /// Returns the half of the day and the end of the `am-9` in `8 am-9 am`; `nil` if the word before
  /// it is no hour.
  private static func halfAndEnd(of word: String, after hour: String?) -> (String, String)? {
    guard word.hasPrefix("a") || word.hasPrefix("p"), let hour,
      let half = ["am", "pm", "a.m.", "p.m."].first(where: word.hasPrefix),
      WrittenClock(words: [hour, half]) != nil
    else { return nil }
    let rest = word.dropFirst(half.utf8.count)
    guard let mark = rest.first, "-–—".contains(mark), rest.count > 1 else { return nil }
    return (half, String(rest.dropFirst()))
  }

  /// Removes one of some words from the beginning of others, and returns whether it is there.
  static func take(_ choices: [String], from words: inout ArraySlice<String>) -> Bool {
    guard let first = words.first, choices.contains(first) else { return false }
    words.removeFirst()
    return true
  }

  /// Removes and returns a day at the beginning of words; `nil` if there is none.
  static func takeDay(from words: inout ArraySlice<String>) -> WrittenDay? {
    for count in stride(from: min(words.count, WrittenDay.greatestWordCount), through: 1, by: -1) {
      guard let day = WrittenDay(words: words.prefix(count)) else { continue }
      words.removeFirst(count)
      return day
    }
    return nil
  }

  private static func takeClock(from words: inout ArraySlice<String>) -> WrittenClock? {
    for count in stride(from: min(words.count, WrittenClock.greatestWordCount), through: 1, by: -1)
    {
      guard let clock = WrittenClock(words: words.prefix(count)), clock.offset == nil else {
        continue
      }
      words.removeFirst(count)
      return clock
    }
    return nil
  }

  /// Whether both times are valid.
  var exists: Bool {
    (try? start.time()) != nil && end.map { (try? $0.time()) != nil } ?? true
  }

  /// Returns the start and end if there is no day and the end is not now; else nil.
  ///
  /// - Throws: `ValidationError` if a time is invalid, or if both are the same.
  func timesAlone() throws(ValidationError) -> WrittenTimes? {
    guard day == nil, endDay == nil, let end else { return nil }
    return try WrittenTimes(start: start, end: end)
  }

  /// Returns the start and the length in seconds.
  ///
  /// A start without a day is the latest one in the past.
  ///
  /// - Throws: `ValidationError` if a day or time is invalid, both are the same, or one has am or
  ///   pm and the other is ambiguous.
  func times(clock: WallClock) throws(ValidationError) -> (start: Moment, seconds: Int) {
    let begin = try WrittenWhen.moment(of: start, on: day, dayWord: nil, clock: clock)
    guard let end else {
      // As clocks show it, without seconds, unless it began in the same minute.
      let now = clock.now
      let minute = now.secondsSince1970 - now.time.second
      let finish =
        minute > begin.secondsSince1970
        ? Moment(secondsSince1970: minute, utcOffset: now.utcOffset) : now
      return (begin, try WrittenTimes.seconds(from: begin, start.text, to: finish, "now"))
    }
    guard let endDay else {
      _ = try WrittenTimes(start: start, end: end)
      return (
        begin, try WrittenTimes.seconds(from: begin, start.text, to: end, in: clock.zone)
      )
    }
    let finish = try WrittenWhen.moment(of: end, on: endDay, dayWord: nil, clock: clock)
    return (begin, try WrittenTimes.seconds(from: begin, start.text, to: finish, end.text))
  }
}
