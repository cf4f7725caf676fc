import CommandLineKit

/// A clock time as typed, which may not exist: `7:30`, `7pm`, `07:30:15Z`, `25:99`.
struct WrittenClock: Hashable, Sendable {
  /// The half of the day behind an hour of twelve.
  enum Half: Sendable { case am, pm }

  /// What was typed.
  let text: String
  /// Whether seconds were typed.
  var hasSeconds: Bool { second != nil }
  /// The offset from UTC behind the time.
  let offset: WrittenOffset?
  /// Whether it is hours and minutes alone, which a person may have meant as a duration.
  var isHoursAndMinutes: Bool { minute != nil && !hasSeconds && half == nil && offset == nil }
  /// The same figures as a duration: `1h15` for `1:15`.
  var asDuration: String { "\(hour.value)h\((minute?.value ?? 0).padded(to: 2))" }

  /// Whether am or pm stands behind it.
  var hasHalf: Bool { half != nil }

  /// Whether one of the two has am or pm and the other shows an hour that both halves of the day
  /// have.
  func isOfUnknownHalf(beside other: WrittenClock) -> Bool {
    let bare = hasHalf ? other : self
    return hasHalf != other.hasHalf && (1...12).contains(bare.hour.value) && bare.text != "noon"
      && bare.text != "midday"
  }

  /// Whether it is the later one on a clock; a time that does not exist is not.
  func isLater(than other: ClockTime) -> Bool { (try? time()).map { $0 > other } ?? false }

  private let hour: WordScanner.Digits
  private let minute: WordScanner.Digits?
  private let second: WordScanner.Digits?
  private let half: Half?

  /// The longest form, `7:30 pm`, in words.
  static let greatestWordCount = 2

  /// Reads words in lower case, `7:30 pm` and `noon` among them; `nil` where they are no clock
  /// time.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last else { return nil }
    switch (words.count, last) {
    case (1, "noon"), (1, "midday"): self.init("12:00", typed: last)
    case (1, "midnight"): self.init("0:00", typed: last)
    case (1, _): self.init(first)
    case (2, "am"), (2, "a.m."): self.init(first + "am", typed: "\(first) \(last)")
    case (2, "pm"), (2, "p.m."): self.init(first + "pm", typed: "\(first) \(last)")
    default: return nil
    }
  }

  /// Reads a word in lower case; `nil` where it does not have the form of a clock time.
  ///
  /// - Parameter typed: What was typed, where it is something else.
  init?(_ word: some StringProtocol, typed: String? = nil) {
    var scanner = WordScanner(word)
    guard let hour = scanner.digits() else { return nil }
    var minute: WordScanner.Digits?
    var second: WordScanner.Digits?
    if scanner.take(":") {
      minute = scanner.digits()
      guard minute != nil else { return nil }
      if scanner.take(":") {
        second = scanner.digits()
        guard second != nil else { return nil }
        // A walk starts on a whole second; parts of it are read and left off.
        if scanner.take("."), scanner.digits() == nil { return nil }
      }
    }
    var half: Half?
    if scanner.take("a") { half = .am } else if scanner.take("p") { half = .pm }
    if half != nil, !scanner.take("m") { return nil }
    guard minute != nil || half != nil else { return nil }
    if scanner.isAtEnd {
      offset = nil
    } else {
      guard let offset = WrittenOffset(from: &scanner) else { return nil }
      self.offset = offset
    }
    self.text = typed ?? String(word)
    self.hour = hour
    self.minute = minute
    self.second = second
    self.half = half
  }

  /// The time it names.
  ///
  /// - Throws: `ValidationError` where no clock shows it.
  func time() throws(ValidationError) -> ClockTime {
    guard minute == nil || minute?.count == 2, second == nil || second?.count == 2 else {
      throw complaint("minutes and seconds have two digits")
    }
    var hours = hour.value
    if let half {
      guard (1...12).contains(hours), hour.count <= 2 else {
        throw complaint("with am and pm, hours go from 1 to 12")
      }
      hours = hours % 12 + (half == .pm ? 12 : 0)
    }
    guard hours <= 23, hour.count <= 2 else { throw complaint("hours go from 0 to 23") }
    guard (minute?.value ?? 0) <= 59 else { throw complaint("minutes go from 0 to 59") }
    let time = ClockTime(hour: hours, minute: minute?.value ?? 0, second: second?.value ?? 0)
    guard let time else { throw complaint("seconds go from 0 to 59") }
    return time
  }

  private func complaint(_ reason: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) is no time: \(reason)",
      hint: "Write 18:00 or yesterday 7:30pm.")
  }
}
