import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Understands the walks of a file, by the same rules as `dogwalk add`.
struct WalkUnderstanding {
  let zone: LocalZone
  let now: Date
  /// Names that were read before.
  private var names: [String: String] = [:]

  init(zone: LocalZone, now: Date) {
    self.zone = zone
    self.now = now
  }

  /// What a walk says.
  ///
  /// - Throws: `DataError` with the walk's line, where it says what cannot be.
  mutating func record(of walk: WrittenWalk) throws(DataError) -> WalkRecord {
    do throws(ValidationError) {
      return try understand(walk)
    } catch {
      let message = error.message
      throw DataError(
        line: walk.line, message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
  }

  private mutating func understand(
    _ walk: WrittenWalk
  ) throws(ValidationError) -> WalkRecord {
    guard let typedDog = try text(walk, .dog) else { throw Self.missing(.dog) }
    guard let typedStart = try text(walk, .start) else { throw Self.missing(.start) }
    let dog = try name(typedDog, of: "a dog")
    let start = try moment(typedStart)
    guard start.date <= now else { throw ValidationError("it begins in the future") }
    var draft = WalkDraft(start: start.date, utcOffset: start.utcOffset)
    draft.duration = try duration(walk, from: start)
    draft.isOngoing = try isTrue(walk, .ongoing)
    guard !draft.isOngoing || draft.duration == nil else {
      throw ValidationError("it is still going on and has an end")
    }
    if let seconds = draft.duration, start.date.addingTimeInterval(seconds) > now {
      throw ValidationError("it ends in the future")
    }
    draft.distance = try number(walk, .metres)
    if let metres = draft.distance, !(metres > 0) {
      throw ValidationError("a distance of \(metres.shortest) is none")
    }
    if let note = try text(walk, .note) { draft.note = try self.note(note) }
    if let walker = try text(walk, .by) { draft.walker = try name(walker, of: "the walker") }
    draft.tags = try tags(walk)
    draft.track = try track(walk)
    draft.peeCount = try count(walk, .pee)
    draft.pooCount = try count(walk, .poo)
    return WalkRecord(
      dog: dog, dogUUID: try uuid(walk, .dogUUID), uuid: try uuid(walk, .uuid), draft: draft,
      fields: Self.fields(of: walk))
  }

  private static func fields(of walk: WrittenWalk) -> WalkRecord.Fields {
    var fields: WalkRecord.Fields = []
    if walk[.minutes] != nil || walk[.end] != nil { fields.insert(.duration) }
    if walk[.metres] != nil { fields.insert(.distance) }
    if walk[.note] != nil { fields.insert(.note) }
    if walk[.by] != nil { fields.insert(.walker) }
    if walk[.pee] != nil { fields.insert(.peeCount) }
    if walk[.poo] != nil { fields.insert(.pooCount) }
    if walk[.ongoing] != nil { fields.insert(.isOngoing) }
    if walk[.tags] != nil { fields.insert(.tags) }
    if walk[.track] != nil { fields.insert(.track) }
    return fields
  }

  private static func missing(_ field: WrittenWalk.Field) -> ValidationError {
    ValidationError("it has no \(field.rawValue)")
  }

  // MARK: Values

  private func text(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> String? {
    switch walk[field] {
    case .text(let text): return text
    case .number, .boolean, .texts, .track:
      throw ValidationError("its \(field.rawValue) is no text")
    case .some(.none), nil: return nil
    }
  }

  private func number(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> Double? {
    switch walk[field] {
    case .number(let number): return number
    case .text(let text):
      guard text.utf8.allSatisfy({ (0x2B...0x39).contains($0) && $0 != 0x2C && $0 != 0x2F }),
        let number = Double(text), number.isFinite
      else {
        throw ValidationError(
          "its \(field.rawValue) cannot be \(ValidationError.quoted(text))")
      }
      return number
    case .boolean, .texts, .track:
      throw ValidationError("its \(field.rawValue) is no number")
    case .some(.none), nil: return nil
    }
  }

  private func isTrue(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> Bool {
    switch walk[field] {
    case .boolean(let isTrue): return isTrue
    case .text("1"), .text("true"): return true
    case .text("0"), .text("false"), .some(.none), nil: return false
    case .text(let text):
      throw ValidationError("its \(field.rawValue) cannot be \(ValidationError.quoted(text))")
    case .number, .texts, .track:
      throw ValidationError("its \(field.rawValue) is neither true nor false")
    }
  }

  private func count(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> Int? {
    guard let number = try number(walk, field) else { return nil }
    guard number >= 0, number <= 99, number == number.rounded() else {
      throw ValidationError("its \(field.rawValue) cannot be \(number.shortest)")
    }
    return Int(number)
  }

  /// The seconds that it took: its minutes, else what lies between start and end.
  private func duration(
    _ walk: WrittenWalk, from start: Moment
  ) throws(ValidationError) -> Double? {
    if let minutes = try number(walk, .minutes) {
      guard minutes > 0, minutes < 1_000_000 else {
        throw ValidationError("it cannot be \(minutes.shortest) minutes long")
      }
      return minutes * 60
    }
    guard let typed = try text(walk, .end) else { return nil }
    let seconds = try moment(typed).date.timeIntervalSince(start.date)
    guard seconds > 0 else { throw ValidationError("it ends before it begins") }
    return seconds
  }

  /// The words that it is tagged with: a list, or a text with spaces between them.
  private mutating func tags(_ walk: WrittenWalk) throws(ValidationError) -> [String] {
    let typed: [String]
    if case .texts(let texts)? = walk[.tags] {
      typed = texts
    } else {
      typed = try text(walk, .tags)?.split(separator: " ").map(String.init) ?? []
    }
    var tags: [String] = []
    for tag in typed { tags.append(try name(tag, of: "a tag")) }
    return tags
  }

  private func track(_ walk: WrittenWalk) throws(ValidationError) -> TrackPoints? {
    switch walk[.track] {
    case .track(let track): return track
    case .some(.none), nil: return nil
    case .text, .number, .boolean, .texts: throw ValidationError("its track is no list of points")
    }
  }

  private func uuid(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> UUID? {
    guard let typed = try text(walk, field) else { return nil }
    guard let uuid = UUID(uuidString: typed) else {
      throw ValidationError("its \(field.rawValue) cannot be \(ValidationError.quoted(typed))")
    }
    return uuid
  }

  private func moment(_ text: String) throws(ValidationError) -> Moment {
    if let moment = Moment(plain: text) { return moment }
    return try Moment(iso8601: text, zone: zone)
  }

  // MARK: Texts

  private mutating func name(
    _ typed: String, of whom: String
  ) throws(ValidationError) -> String {
    if let name = names[typed] { return name }
    let name = try TypedText.name(typed, of: whom)
    names[typed] = name
    return name
  }

  private func note(_ typed: String) throws(ValidationError) -> String? {
    // What is ASCII has no line ends or controls to look for.
    let isPlain = typed.utf8.allSatisfy { (0x21..<0x7F).contains($0) || $0 == 0x20 }
    if isPlain, typed.utf8.first != 0x20 { return typed.isEmpty ? nil : typed }
    return try TypedText.note(typed)
  }
}

extension Moment {
  /// Reads the form that `dogwalk` writes, quickly: `2026-11-20T18:00:00+01:00`; nil for any other.
  fileprivate init?(plain text: String) {
    var text = text
    let numbers = text.withUTF8 { bytes -> (Int, Int, Int, Int, Int, Int, Int)? in
      guard bytes.count == 25 else { return nil }
      func number(_ range: Range<Int>) -> Int {
        var number = 0
        for place in range {
          guard (0x30...0x39).contains(bytes[place]) else { return -1 }
          number = number * 10 + Int(bytes[place] & 0xF)
        }
        return number
      }
      let marks: [(Int, UInt8)] = [
        (4, 0x2D), (7, 0x2D), (10, 0x54), (13, 0x3A), (16, 0x3A), (22, 0x3A),
      ]
      guard marks.allSatisfy({ bytes[$0.0] == $0.1 }), bytes[19] == 0x2B || bytes[19] == 0x2D else {
        return nil
      }
      let (hours, minutes) = (number(20..<22), number(23..<25))
      guard (0...14).contains(hours), (0..<60).contains(minutes) else { return nil }
      let offset = (hours * 60 + minutes) * (bytes[19] == 0x2D ? -60 : 60)
      return (
        number(0..<4), number(5..<7), number(8..<10), number(11..<13), number(14..<16),
        number(17..<19), offset
      )
    }
    guard let (year, month, day, hour, minute, second, offset) = numbers,
      let date = CivilDate(year: year, month: month, day: day),
      let time = ClockTime(hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(day: date, time: time, utcOffset: offset)
  }
}

@available(*, unavailable)
extension WalkUnderstanding: Sendable {}
