import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Converts the walks of a file to records, by the same rules as `dogwalk add`.
struct WalkRecordReader {
  let zone: LocalZone
  let now: Date
  /// The rules for files from other programs.
  let rules: ImportRules
  /// The checked names, by their forms in the file.
  private var names: [String: String] = [:]
  /// The names that were found to match dogs' identifiers.
  var checkedDogs: [UUID: String] = [:]
  /// The names in the file of dogs with another name here.
  var otherNames: [UUID: OtherName] = [:]
  /// The walks whose end and length disagreed: with the length in seconds that was used, and the
  /// stored one.
  var disagreements: [(line: Int, used: Double, stored: Double)] = []
  /// The tags, by their names in the file.
  var tags: [String: String] = [:]

  /// The latest time that is not in the future: a minute more, since the clocks of machines differ.
  private var latest: Date { now.addingTimeInterval(60) }

  init(zone: LocalZone, now: Date, rules: ImportRules = ImportRules()) {
    self.zone = zone
    self.now = now
    self.rules = rules
  }

  /// Returns the records of a walk, one for each of its dogs.
  ///
  /// - Throws: `DataError` with the walk's lines if a value is invalid.
  mutating func records(of walk: WrittenWalk) throws(DataError) -> [WalkRecord] {
    do throws(ValidationError) {
      return try understand(walk)
    } catch {
      let message = error.message
      throw DataError(
        line: walk.line, to: walk.lastLine,
        message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
  }

  private mutating func understand(
    _ walk: WrittenWalk
  ) throws(ValidationError) -> [WalkRecord] {
    guard let typedStart = try text(walk, .start) else { throw Self.missing(.start) }
    var (dogs, ownTags) = try dogs(of: walk)
    let start = try moment(typedStart)
    guard start.date <= latest else { throw ValidationError("it begins in the future") }
    guard start.date.inCalendar != nil else { throw ValidationError("it begins too long ago") }
    var draft = WalkDraft(start: start.date, utcOffset: start.utcOffset)
    draft.duration = try duration(walk, from: start)
    draft.isOngoing = try isTrue(walk, .ongoing) || Self.isRunning(walk)
    guard !draft.isOngoing || draft.duration == nil else {
      throw ValidationError("it is still going on and has an end")
    }
    if let seconds = draft.duration, start.date.addingTimeInterval(seconds) > latest {
      throw ValidationError("it ends in the future")
    }
    draft.distance = try metres(walk)
    if let metres = draft.distance, !(metres > 0) {
      throw ValidationError("the distance cannot be \(metres.shortest)")
    }
    if let note = try text(walk, [.note, .annotation]) { draft.note = try self.note(note) }
    if let walker = try text(walk, .by) { draft.walker = try name(walker, of: "the walker") }
    draft.tags = ownTags.map { tag(of: $0) }
    draft.track = try track(walk)
    draft.peeCount = try count(walk, .pee)
    draft.pooCount = try count(walk, .poo)
    let uuid = try uuid(walk, .uuid) ?? Self.watsonUUID(walk)
    let fields = Self.fields(of: walk)
    let dogUUID = try dogUUID(walk)
    // A line that was copied to make a new walk has an empty uuid.
    let version = uuid == nil ? nil : try text(walk, .version).flatMap { WalkVersion($0) }
    // The dog that first had the walk keeps it, even if other dogs were added to the store since.
    if dogs.count > 1, let uuid, let owner = (try? rules.storedTimes(uuid))??.dogName,
      let index = dogs.firstIndex(where: { NameKey.of($0) == NameKey.of(owner) })
    {
      dogs.swapAt(0, index)
    }
    var records: [WalkRecord] = []
    for dog in dogs {
      guard records.isEmpty else {
        let shared = uuid.map { Self.uuid($0, sharedBy: dog) }
        records.append(WalkRecord(dog: dog, uuid: shared, draft: draft, fields: fields))
        continue
      }
      // Values that belong to a single walk are given to the first dog's.
      records.append(
        WalkRecord(
          dog: dog, dogUUID: dogUUID, uuid: uuid, version: version, number: Self.number(of: walk),
          draft: draft, fields: fields))
    }
    return records
  }

  /// Returns the walk's number in the store that it comes from; nil for other values of other
  /// programs.
  private static func number(of walk: WrittenWalk) -> Int64? {
    switch walk[.id] {
    case .number(let number): Int64(exactly: number)
    case .text(let text): Int64(text)
    default: nil
    }
  }

  private static func fields(of walk: WrittenWalk) -> WalkRecord.Fields {
    var fields: WalkRecord.Fields = []
    func says(_ names: [WrittenWalk.Field]) -> Bool { names.contains { walk[$0] != nil } }
    if says([.minutes, .end, .stop, .duration]) { fields.insert(.duration) }
    if says([.metres, .distance, .kilometres, .miles]) { fields.insert(.distance) }
    if says([.note, .annotation]) { fields.insert(.note) }
    if walk[.by] != nil { fields.insert(.walker) }
    if walk[.pee] != nil { fields.insert(.peeCount) }
    if walk[.poo] != nil { fields.insert(.pooCount) }
    if walk[.ongoing] != nil || isRunning(walk) { fields.insert(.isOngoing) }
    if walk[.tags] != nil { fields.insert(.tags) }
    if walk[.track] != nil { fields.insert(.track) }
    return fields
  }

  /// Returns whether it is an interval of timewarrior that has not ended.
  ///
  /// Such an interval has no end, and its start has a form that only timewarrior uses.
  private static func isRunning(_ walk: WrittenWalk) -> Bool {
    guard walk[.end] == nil, walk[.stop] == nil, walk[.minutes] == nil, walk[.duration] == nil,
      walk[.ongoing] == nil, case .text(let start)? = walk[.start]
    else { return false }
    return ImportRules.isCompact(start)
  }

  private static func missing(_ field: WrittenWalk.Field) -> ValidationError {
    ValidationError("it has no \(field.rawValue)")
  }

  /// Returns the record of a track.
  ///
  /// - Throws: `DataError` if no dog is given, or if it ends in the future.
  mutating func record(of track: GPXTrack) throws(DataError) -> WalkRecord {
    guard let dog = rules.dog else {
      throw DataError(line: 1, "a track names no dog: say whose it is with --dog")
    }
    guard track.start.addingTimeInterval(track.seconds) <= latest else {
      throw DataError(line: 1, "a track ends in the future")
    }
    let start = zone.moment(at: track.start)
    var draft = WalkDraft(start: start.date, utcOffset: start.utcOffset)
    draft.duration = track.seconds > 0 ? track.seconds : nil
    draft.distance = track.metres
    draft.track = track.points
    return WalkRecord(
      dog: dog, uuid: nil, draft: draft, fields: [.duration, .distance, .track])
  }

  // MARK: Values

  func text(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> String? {
    switch walk[field] {
    case .text(let text): return text
    case .number, .boolean, .texts, .track:
      throw ValidationError("its \(field.rawValue) is not text")
    case .some(.none), nil: return nil
    }
  }

  /// Returns the text of the first field that has one.
  func text(
    _ walk: WrittenWalk, _ fields: [WrittenWalk.Field]
  ) throws(ValidationError) -> String? {
    for field in fields { if let text = try text(walk, field) { return text } }
    return nil
  }

  /// Returns the text about the column name that a number with a unit needs.
  private static func field(of text: String, _ field: WrittenWalk.Field) -> String {
    switch field {
    case .minutes where (try? Duration(inFile: text)) != nil:
      ": a column of such lengths is called duration"
    case .metres where (try? Distance(typed: text)) != nil:
      ": a column of such distances is called distance"
    default: ""
    }
  }

  func number(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> Double? {
    switch walk[field] {
    case .number(let number): return number
    case .text(let text):
      guard text.utf8.allSatisfy({ (0x2B...0x39).contains($0) && $0 != 0x2C && $0 != 0x2F }),
        let number = Double(text), number.isFinite
      else {
        throw ValidationError(
          "its \(field.rawValue) cannot be \(ValidationError.quoted(text))\(Self.field(of: text, field))"
        )
      }
      return number
    case .boolean, .texts, .track:
      throw ValidationError("its \(field.rawValue) is not a number")
    case .some(.none), nil: return nil
    }
  }

  private func isTrue(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> Bool {
    switch walk[field] {
    case .boolean(let isTrue): return isTrue
    case .some(.none), nil: return false
    case .text(let text):
      // Spreadsheets write TRUE and FALSE.
      switch text.lowercased() {
      case "1", "true": return true
      case "0", "false": return false
      default: break
      }
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

  /// A distance in metres must be shorter: a million kilometres, as for one that is typed.
  private static let mostMetres = 1e9

  /// Returns the distance in metres from any of the units.
  private func metres(_ walk: WrittenWalk) throws(ValidationError) -> Double? {
    for (field, unit) in [(WrittenWalk.Field.metres, 1), (.kilometres, 1000), (.miles, 1609.344)] {
      guard let number = try number(walk, field) else { continue }
      guard number * unit < Self.mostMetres else {
        throw ValidationError("its \(field.rawValue) cannot be \(number.shortest)")
      }
      return number * unit
    }
    return try text(walk, .distance).map { typed throws(ValidationError) in
      try Distance(typed: typed).metres
    }
  }

  private func track(_ walk: WrittenWalk) throws(ValidationError) -> TrackPoints? {
    switch walk[.track] {
    case .track(let track): return track
    case .some(.none), nil: return nil
    case .text, .number, .boolean, .texts:
      throw ValidationError("its track is not a list of points")
    }
  }

  func uuid(
    _ walk: WrittenWalk, _ field: WrittenWalk.Field
  ) throws(ValidationError) -> UUID? {
    guard let typed = try text(walk, field) else { return nil }
    guard let uuid = UUID(text: typed) else {
      throw ValidationError("its \(field.rawValue) cannot be \(ValidationError.quoted(typed))")
    }
    // Some programs write zeros for none.
    return uuid == UUID.none ? nil : uuid
  }

  func moment(_ text: String) throws(ValidationError) -> Moment {
    if let moment = Moment(plain: text) { return moment }
    return try rules.moment(text, zone: zone)
  }

  // MARK: Texts

  mutating func name(
    _ typed: String, of whom: String
  ) throws(ValidationError) -> String {
    if let name = names[typed] { return name }
    let name = try TypedText.name(typed, of: whom)
    names[typed] = name
    return name
  }

  private func note(_ typed: String) throws(ValidationError) -> String? {
    // Printable ASCII contains neither line ends nor control characters.
    let isPlain = typed.utf8.allSatisfy { (0x21..<0x7F).contains($0) || $0 == 0x20 }
    if isPlain, typed.utf8.first != 0x20 { return typed.isEmpty ? nil : typed }
    return try TypedText.note(typed)
  }
}

extension Moment {
  /// Reads `2026-11-20T18:00:00+01:00`, the form that `dogwalk` writes, quickly; nil for any other.
  init?(plain text: String) {
    var text = text
    let numbers = text.withUTF8 { bytes -> (Int, Int, Int, Int, Int, Int, Int)? in
      guard bytes.count == 25 else { return nil }
      func number(_ range: Range<Int>) -> Int {
        var number = 0
        for index in range {
          guard (0x30...0x39).contains(bytes[index]) else { return -1 }
          number = number * 10 + Int(bytes[index] & 0xF)
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
extension WalkRecordReader: Sendable {}
