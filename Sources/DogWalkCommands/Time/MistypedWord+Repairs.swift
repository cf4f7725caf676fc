import CommandLineKit

extension MistypedWord {
  /// Creates the error about a day with a time after it that is not written as one: `yesterday
  /// 10.30`, `yesterday at 20h`; `nil` for other words.
  ///
  /// - Parameter count: The number of words of the day.
  init?(looseTimeIn words: TypedWords, after count: Int) {
    let isAt = words.lowercased.dropFirst(count).first == "at"
    let position = count + (isAt ? 1 : 0)
    guard words.lowercased.indices.contains(position),
      case let next = words.lowercased[position], next.first?.isNumber == true
    else { return nil }
    let written = WrittenDuration(words: [next])
    // A length without a time before it may follow a day: `monday 35m`.
    let isHour = isAt || written?.isBareNumber == false
    let repaired = Self.repaired(next).flatMap { WrittenClock($0) == nil ? nil : $0 }
    guard let clock = (isHour ? written?.asClock : nil) ?? repaired else { return nil }
    let typed = TypedWords.text(of: words.original[...position])
    let day = TypedWords.text(of: words.original[..<count])
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted(typed)) is not understood",
        hint: "Write \(day.escapingControls) \(clock)."))
  }

  /// Returns the most likely meaning of a word in lower case that is nearly a time or a length.
  ///
  /// The result is always readable, since it is parsed before it is returned.
  static func repaired(_ word: String) -> String? {
    guard word.utf8.contains(where: WordScanner.isDigit) || word.contains(where: "½¼¾".contains)
    else { return nil }
    return [
      length(word), fraction(word), bare(word), dotted(word), range(word), pair(word), sum(word),
      list(word), fourDigits(word), clipped(word), arrow(word),
    ].lazy.compactMap { $0 }.first { $0 != word && isUnderstood($0) }
  }

  /// Returns whether a text, or each of its words, is a time or a length.
  private static func isUnderstood(_ text: String) -> Bool {
    let words = TypedWords(text).lowercased
    return isMeaning(words[...]) || words.indices.allSatisfy { isMeaning(words[$0...$0]) }
  }

  private static func isMeaning(_ words: ArraySlice<String>) -> Bool {
    if let duration = WrittenDuration(words: words) { return (try? duration.seconds()) != nil }
    if let span = WrittenSpan(words: words) { return span.exists }
    if let clock = WrittenClock(words: words) {
      // Seconds go with a date only; in `20.11.26` it is the day that is meant.
      return clock.offset == nil && !clock.hasSeconds && (try? clock.time()) != nil
    }
    if words.count == 1, let date = WrittenDate(words[words.startIndex]) {
      return (try? date.civilDate()) != nil
    }
    return Distance(words: words) != nil
  }

  /// Returns `1:20h` and `0:45h` as lengths; from five hours on, as in `18:30h`, a time is more
  /// likely.
  private static func length(_ word: String) -> String? {
    guard let ending = ["hours", "hrs", "hr", "h"].first(where: word.hasSuffix),
      let clock = WrittenClock(word.dropLast(ending.utf8.count)), clock.isHoursAndMinutes,
      let time = try? clock.time(), time.hour < 5
    else { return nil }
    return time.hour == 0 ? "\(time.minute)m" : clock.asDuration
  }

  /// Returns `.5h` and `,5h` with a zero, and `1/2h`, `½h` and `1½h` as decimal numbers.
  private static func fraction(_ word: String) -> String? {
    if word.first == "." || word.first == "," { return "0.\(word.dropFirst())" }
    for (fraction, decimals) in [("1/2", 5), ("1/4", 25), ("3/4", 75)]
    where word.hasPrefix(fraction) {
      return "0.\(decimals)\(word.dropFirst(fraction.utf8.count))"
    }
    let whole = word.prefix { $0.isASCII && $0.isNumber }
    let rest = word.dropFirst(whole.utf8.count)
    guard let mark = rest.first, let decimals = ["½": 5, "¼": 25, "¾": 75][mark] else {
      return nil
    }
    return "\(whole.isEmpty ? "0" : whole).\(decimals)\(rest.dropFirst())"
  }

  /// Returns `~30m`, `@18:00`, `(35m)`, `35m,` and `18:30h` without the additional characters.
  private static func bare(_ word: String) -> String? {
    var text = word[...]
    while let first = text.first, "~@#≈(<>=\"'".contains(first) { text.removeFirst() }
    if !text.contains(":"), text.first == "+" { text.removeFirst() }
    while let last = text.last, ",;.!?)\"'-–".contains(last) { text.removeLast() }
    for ending in ["uhr", "hrs", "h", "o'clock"] where text.hasSuffix(ending) && text.contains(":")
    {
      text.removeLast(ending.count)
    }
    return String(text)
  }

  /// Returns `18.30`, `6.30pm` and `18.00-18.30` with colons.
  private static func dotted(_ word: String) -> String? {
    guard word.contains(".") else { return nil }
    var letters = word[...]
    while let last = letters.last, last.isASCII, last.isLetter { letters.removeLast() }
    return [word, String(letters)].map { $0.map { $0 == "." ? ":" : String($0) }.joined() }
      .first(where: isUnderstood)
  }

  /// Returns `8-9am`, `11am-1`, `18-19` and `18:00-19` with complete times.
  private static func range(_ word: String) -> String? {
    let marks = word.contains(":") ? "-–/" : "-–"
    let ends = word.split(whereSeparator: marks.contains).map(String.init)
    guard ends.count == 2, !isMonth(word) else { return nil }
    if let halves = halves(ends) { return halves }
    let whole = ends.map { end -> String in
      guard WrittenClock(end) == nil else { return end }
      if end.utf8.count == 4, WordScanner.isNumber(end[...]) {
        return "\(end.prefix(2)):\(end.suffix(2))"
      }
      if end.contains("h") { return end.map { $0 == "h" ? ":" : String($0) }.joined() }
      return WordScanner.isNumber(end[...]) && end.utf8.count < 3 ? "\(end):00" : end
    }
    return whole.joined(separator: "-")
  }

  /// Returns whether a word is a month of this century, `2026-11`, and not a range of times.
  static func isMonth(_ word: String) -> Bool {
    word.hasPrefix("20") && Period.month(in: word) != nil
  }

  /// Returns `8-9am` and `11am-1` with the half of the day at both ends.
  ///
  /// Both get the same half, unless the end would then be before the start.
  private static func halves(_ ends: [String]) -> String? {
    func half(_ end: String) -> String? { ["am", "pm"].first(where: end.hasSuffix) }
    guard let known = ends.lazy.compactMap(half).first, ends.contains(where: { half($0) == nil })
    else { return nil }
    let inHalf = ends.map { half($0) == nil ? $0 + known : $0 }
    let times = inHalf.compactMap { try? WrittenClock($0)?.time() }
    guard times.count == 2 else { return nil }
    guard times[1] < times[0] else { return inHalf.joined(separator: "-") }
    let other = known == "am" ? "pm" : "am"
    return ends.map { half($0) == nil ? $0 + other : $0 }.joined(separator: "-")
  }

  /// Returns `35m@8:00` and `8:00-35m` as two words, the length first.
  private static func pair(_ word: String) -> String? {
    let parts = word.split(whereSeparator: "@-–/".contains).map(String.init)
    guard parts.count == 2 else { return nil }
    func isLength(_ text: String) -> Bool {
      WrittenDuration(words: [text]).map { !$0.isBareNumber } ?? false
    }
    let (one, other) = (parts[0], parts[1])
    if isLength(one), WrittenClock(words: [other]) != nil { return "\(one) \(other)" }
    return isLength(other) && WrittenClock(words: [one]) != nil ? "\(other) \(one)" : nil
  }

  /// Returns `18:00+40m` as two words.
  private static func sum(_ word: String) -> String? {
    let parts = word.split(separator: "+")
    guard parts.count == 2, !parts[1].contains(":") else { return nil }
    return parts.joined(separator: " ")
  }

  /// Returns `18:00,30m` as two words, and `18:00,18:40` as a start and an end; `18,30` is
  /// ambiguous.
  private static func list(_ word: String) -> String? {
    let parts = word.split(separator: ",")
    guard parts.count > 1, !parts.contains(where: { WordScanner.isNumber($0) }) else { return nil }
    if parts.count == 2, let end = WrittenClock(parts[1]),
      let start = try? WrittenClock(parts[0])?.time(), end.isLater(than: start)
    {
      return parts.joined(separator: "-")
    }
    return parts.joined(separator: " ")
  }

  /// Returns `6:30p`, `7:` and `17:00ish` as times.
  private static func clipped(_ word: String) -> String? {
    if word.last == ":" { return WordScanner.isNumber(word.dropLast()) ? "\(word)00" : nil }
    if let ending = ["-ish", "ish"].first(where: word.hasSuffix) {
      let time = word.dropLast(ending.utf8.count)
      return WordScanner.isNumber(time) ? "\(time):00" : String(time)
    }
    return word.last == "a" || word.last == "p" ? "\(word)m" : nil
  }

  /// Returns `17:00→17:40` and `17:00~17:40` with a hyphen.
  private static func arrow(_ word: String) -> String? {
    guard word.contains(where: "→⇒~>".contains) else { return nil }
    let ends = word.split(whereSeparator: "→⇒~>-=".contains)
    return ends.count == 2 ? ends.joined(separator: "-") : nil
  }

  /// Creates the error about words in lower case that begin with a clock time and a unit, `1:30
  /// hours`, or with a number and a fraction of an hour, `1 1/2 hours`; `nil` for others.
  init?(loose words: [String]) {
    if let (text, better) = Self.clockWithUnit(words) ?? Self.fractionOfHour(words) {
      self.init(
        complaint: ValidationError(
          "\(ValidationError.quoted(text)) is not understood", hint: "Write \(better)."))
    } else {
      return nil
    }
  }

  /// Returns a clock time with a unit after it, and what to write: `1h30` for `1:30 hours`.
  private static func clockWithUnit(_ words: [String]) -> (text: String, better: String)? {
    guard words.count > 1, let clock = WrittenClock(words[0]), clock.isHoursAndMinutes,
      let time = try? clock.time(), let unit = WrittenDuration.Unit(words[1])
    else { return nil }
    let text = "\(words[0]) \(words[1])"
    if unit == .hours { return (text, length("\(words[0])h") ?? words[0]) }
    guard unit == .minutes, time.secondsSinceMidnight > 0 else { return nil }
    let minutes = time.hour > 0 ? "\(time.hour)m" : ""
    let seconds = time.minute > 0 ? "\(time.minute)s" : ""
    return (text, "\(minutes)\(seconds) for the length, or \(words[0]) for the time")
  }

  /// Returns a number of hours with a fraction, and what to write: `1h30` for `1 1/2 hours` and `1
  /// and a half hours`, `30m` for `½ hour`.
  private static func fractionOfHour(_ words: [String]) -> (text: String, better: String)? {
    guard let first = words.first else { return nil }
    var rest = words[...]
    var whole = 0
    var hasAnd = false
    if WordScanner.isNumber(first[...]) {
      whole = Int(first) ?? 100
      rest.removeFirst()
      if rest.first == "and" {
        hasAnd = true
        rest.removeFirst()
        if rest.first == "a" { rest.removeFirst() }
      }
    } else if first.count > 1, let last = first.last, "½¼¾".contains(last) {
      // `1½ hours` is one word and a unit.
      guard let number = Int(first.dropLast()) else { return nil }
      whole = number
      rest[rest.startIndex] = String(last)
    }
    let minutes: Int
    switch rest.popFirst() {
    case "½", "1/2": minutes = 30
    case "half" where hasAnd: minutes = 30
    case "¼", "1/4": minutes = 15
    case "quarter" where hasAnd: minutes = 15
    case "¾", "3/4": minutes = 45
    default: return nil
    }
    if rest.first == "of" { rest.removeFirst() }
    if rest.first == "a" || rest.first == "an" { rest.removeFirst() }
    guard let unit = rest.popFirst().flatMap({ WrittenDuration.Unit($0) }), unit == .hours,
      whole < 25
    else { return nil }
    let text = TypedWords.text(of: words.prefix(words.count - rest.count))
    // From five hours on, `5h30` may be a time.
    return (text, whole == 0 ? "\(minutes)m" : "\(whole)h\(minutes)\(whole < 5 ? "" : "m")")
  }

  /// Returns `1830h` as a time.
  private static func fourDigits(_ word: String) -> String? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 4, ["h", "hrs", "uhr"].contains(word.dropFirst(4)) else { return nil }
    return "\(digits.prefix(2)):\(digits.suffix(2))"
  }
}
