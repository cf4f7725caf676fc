import CommandLineKit

/// A clock time as typed, which may be invalid: `7:30`, `7pm`, `07:30:15Z`, `25:99`.
struct WrittenClock: Hashable, Sendable {
  /// The half of the day, for hours from 1 to 12.
  enum Half: Sendable { case am, pm }

  /// The typed text.
  let text: String
  /// Whether seconds were typed.
  var hasSeconds: Bool { second != nil }
  /// The offset from UTC after the time.
  let offset: WrittenOffset?
  /// Whether it only has hours and minutes, and so may have been meant as a duration.
  var isHoursAndMinutes: Bool { minute != nil && !hasSeconds && half == nil && offset == nil }
  /// The same digits as a duration: `1h15` for `1:15`.
  var asDuration: String { "\(hour.value)h\((minute?.value ?? 0).padded(to: 2))" }

  /// Whether it has am or pm.
  var hasHalf: Bool { half != nil }

  /// Returns whether one of two times has am or pm, and the other is ambiguous without.
  func isOfUnknownHalf(beside other: WrittenClock) -> Bool {
    let bare = hasHalf ? other : self
    return hasHalf != other.hasHalf && (1...12).contains(bare.hour.value) && bare.text != "noon"
      && bare.text != "midday"
  }

  /// Returns whether it is later in the day; false for an invalid time.
  func isLater(than other: ClockTime) -> Bool { (try? time()).map { $0 > other } ?? false }

  private let hour: WordScanner.Digits
  private let minute: WordScanner.Digits?
  private let second: WordScanner.Digits?
  private let half: Half?

  /// The number of words of the longest form, `7:30 pm` and `12 noon`.
  static let greatestWordCount = 2

  /// Reads words in lower case, such as `7:30 pm`, `noon` and `12 noon`; `nil` if they are not a
  /// clock time.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last else { return nil }
    switch (words.count, last) {
    case (1, "noon"), (1, "midday"): self.init("12:00", typed: last)
    case (1, "midnight"): self.init("0:00", typed: last)
    case (1, _): self.init(first)
    case (2, "noon"), (2, "midday"), (2, "midnight"):
      guard first == "12" || first == "12:00" else { return nil }
      self.init(words: [last])
    case (2, "am"), (2, "a.m."): self.init(first + "am", typed: "\(first) \(last)")
    case (2, "pm"), (2, "p.m."): self.init(first + "pm", typed: "\(first) \(last)")
    default: return nil
    }
  }

  /// Reads a word in lower case; `nil` if it does not have the form of a clock time.
  ///
  /// - Parameter typed: The typed text, if it is different.
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
        // Fractions of a second are read and dropped.
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

  /// Returns a text with its am and pm joined to the hours: `yesterday 8am` for `yesterday 8 am`.
  static func joiningHalves(in text: String) -> String {
    var words: [String] = []
    for word in text.split(separator: " ").map(String.init) {
      guard let last = words.last, ["am", "pm", "a.m.", "p.m."].contains(word.lowercased()) else {
        words.append(word)
        continue
      }
      words[words.count - 1] = last + word.lowercased().filter { $0 != "." }
    }
    return TypedWords.text(of: words)
  }

  /// Returns the time.
  ///
  /// - Throws: `ValidationError` if it is invalid.
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
      "\(ValidationError.quoted(text)) is not a time: \(reason)",
      hint: "Write 18:00 or yesterday 7:30pm.")
  }
}
