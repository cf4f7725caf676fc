import CommandLineKit
import DogWalkModel

/// Phrases with a part of the day, which names no exact time: `this morning`, `8 in the evening`.
extension MistypedWord {
  /// Returns a typical time in a part of the day; `nil` for any other word.
  static func clock(ofPart word: String) -> String? {
    switch word {
    case "dawn": "6:00"
    case "morning", "breakfast": "7:30"
    case "school": "8:00"
    case "lunch", "lunchtime": "12:30"
    case "afternoon": "15:00"
    case "evening", "work": "18:00"
    case "dinner", "dusk": "19:00"
    case "night", "bed": "22:30"
    default: nil
    }
  }

  /// Returns a time with a part of the day after it, and what to write: `20:00` for
  /// `8 in the evening`, `yesterday 11pm` for `11pm last night`; `nil` for other words.
  static func timeBeforePart(_ words: [String]) -> (said: String, better: String)? {
    for count in 1...2 where words.count > count + 1 {
      guard let typed = typedTime(words.prefix(count), isHour: true) else { continue }
      let rest = words.dropFirst(count)
      let links = rest.prefix { ["in", "the", "at", "this", "last"].contains($0) }
      guard let link = links.first, links.count < 3, let part = rest.dropFirst(links.count).first,
        ["morning", "afternoon", "evening", "night"].contains(part),
        let clock = clock(typed, in: part)
      else { continue }
      let said = words.prefix(count + links.count + 1).joined(separator: " ")
      let day =
        switch link {
        case "this": "today "
        case "last" where part == "night": "\(night(of: clock)) "
        case "last": "yesterday "
        default: ""
        }
      return (said, day + clock)
    }
    return nil
  }

  /// Returns the time after a part of the day: `8:00` after `this morning` in `this morning at 8`.
  static func time(after part: String, _ words: ArraySlice<String>) -> String? {
    let isHour = words.first == "at"
    let rest = isHour ? words.dropFirst() : words
    return [2, 1].lazy.filter { rest.count >= $0 }
      .compactMap { typedTime(rest.prefix($0), isHour: isHour) }
      .compactMap { clock($0, in: part) }.first
  }

  /// The day of a time in the last night: it began yesterday.
  static func night(of clock: String) -> String {
    let hour = (try? WrittenClock(clock)?.time())?.hour ?? 22
    return hour < 6 ? "today" : "yesterday"
  }

  /// A clock time as typed; of a bare number an hour from 1 to 12, if there may be one.
  private static func typedTime(_ words: ArraySlice<String>, isHour: Bool) -> WrittenClock? {
    if let clock = WrittenClock(words: words) { return clock.offset == nil ? clock : nil }
    guard isHour, words.count == 1, let word = words.first, let hour = Int(word),
      (1...12).contains(hour)
    else { return nil }
    return WrittenClock("\(hour):00")
  }

  /// Returns a time in a part of the day, with the hour that people call by it; `nil` if there is
  /// no such part.
  private static func clock(_ typed: WrittenClock, in part: String) -> String? {
    guard Self.clock(ofPart: part) != nil, let time = try? typed.time() else { return nil }
    if typed.hasHalf { return typed.text.split(separator: " ").joined() }
    let evening =
      switch part {
      case "afternoon", "lunch", "lunchtime": 1...6
      case "evening", "dinner", "dusk", "work": 4...11
      case "night", "bed": 6...11
      default: 24...24
      }
    let isMidnight = ["night", "bed"].contains(part) && time.hour == 12
    let hour = isMidnight ? 0 : evening.contains(time.hour) ? time.hour + 12 : time.hour
    return "\(hour):\(time.minute.padded(to: 2))"
  }
}
