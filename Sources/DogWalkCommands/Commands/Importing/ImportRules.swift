import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// What the options of `dogwalk import` say about files that others wrote.
struct ImportRules {
  /// The order in which a day's numbers stand.
  enum DateOrder: String, Sendable {
    case dmy, mdy, ymd
  }

  /// Which columns of a CSV file make a field: by the field, the names as they were typed.
  private(set) var columns: [(field: WrittenWalk.Field, names: [String])] = []
  /// How days are written; `nil` where the files show it by themselves.
  private(set) var dates: DateOrder?
  /// Whether columns and keys that mean nothing are passed over.
  private(set) var ignoresUnknown = false
  /// Whose walks they are where a file does not say.
  private(set) var dog: String?
  /// Whether there is a dog of a name.
  private(set) var isDog: (String) throws -> Bool = { _ in false }
  /// The names of the dogs there are, by their identifiers.
  private(set) var dogNames: () throws -> [UUID: String] = { [:] }
  /// When the walk of an identifier was; `nil` where there is none.
  private(set) var storedTimes: (UUID) throws -> WalkLog.Times? = { _ in nil }
  /// The names of the tags there are.
  private(set) var tagNames: () throws -> [String] = { [] }

  /// The usual rules.
  init() {}

  /// Reads the options of a run.
  ///
  /// - Throws: `ValidationError` where one cannot be read, or two are about one field.
  init(_ run: CommandRun) throws {
    for typed in run.values.all(.column) {
      guard let equals = typed.firstIndex(of: "="),
        let field = WrittenWalk.Field(rawValue: typed[..<equals].lowercased()),
        case let names = typed[typed.index(after: equals)...].split(separator: "+"),
        !names.isEmpty
      else {
        throw ValidationError(
          "--column cannot be \(ValidationError.quoted(typed))",
          hint: "Write a field and the columns that make it: --column start=Date+Time.")
      }
      guard !columns.contains(where: { $0.field == field }) else {
        throw ValidationError(
          "--column names \(field.rawValue) twice", hint: "Join its columns: start=Date+Time.")
      }
      columns.append((field, names.map { String($0) }))
    }
    dates = run.values[.dates].flatMap { DateOrder(rawValue: $0) }
    ignoresUnknown = run.values.contains(.ignoreUnknown)
    dog = try run.values[.dogOfFile].map { try TypedText.name($0, of: "a dog") }
    var dogs: [String: Bool] = [:]
    isDog = { name in
      if let isDog = dogs[name] { return isDog }
      let isDog = try run.log().dog(named: name) != nil
      dogs[name] = isDog
      return isDog
    }
    tagNames = { try run.log().tagNames() }
    var names: [UUID: String]?
    dogNames = {
      if let names { return names }
      var found: [UUID: String] = [:]
      for dog in try run.log().dogs() { if let uuid = dog.identifier { found[uuid] = dog.name } }
      names = found
      return found
    }
    // Looked up only where an end and a length disagree: then all are read, as for the import
    // itself. Values, as that reads the walks again with nobody writing.
    var times: [UUID: WalkLog.Times]?
    storedTimes = { uuid in
      if let times { return times[uuid] }
      let read = try run.log().timesByIdentifier()
      times = read
      return read[uuid]
    }
  }

  /// A column's name as names are compared.
  static func key(_ name: String) -> String { name.lowercased().filter { !$0.isWhitespace } }

  /// Which fields the columns of a first line make: for each field the columns, in order.
  ///
  /// - Throws: `DataError` for a column that is missing, there twice, or means nothing.
  func fields(
    of header: CSVReader.Record
  ) throws(DataError) -> [(field: WrittenWalk.Field, columns: [Int])] {
    let keys = header.fields.map(Self.key)
    var fields: [(field: WrittenWalk.Field, columns: [Int])] = []
    var used: Set<Int> = []
    for (field, names) in columns {
      var columns: [Int] = []
      for name in names {
        guard let column = keys.firstIndex(of: Self.key(name)) else {
          throw DataError(
            line: header.line,
            "there is no column \(ValidationError.quoted(name)): the first line names "
              + sentenceList(header.fields))
        }
        columns.append(column)
      }
      fields.append((field, columns))
      used.formUnion(columns)
    }
    var unknown: [String] = []
    for (column, key) in keys.enumerated() where !used.contains(column) {
      guard let field = WrittenWalk.Field(rawValue: key) else {
        unknown.append(header.fields[column])
        continue
      }
      guard !fields.contains(where: { $0.field == field }) else {
        guard columns.contains(where: { $0.field == field }) else {
          throw DataError(
            line: header.line, "the column \(header.fields[column]) is there twice")
        }
        continue
      }
      fields.append((field, [column]))
    }
    let has = { (field: WrittenWalk.Field) in fields.contains { $0.field == field } }
    guard has(.start), has(.dog) || dog != nil else {
      throw DataError(
        line: header.line,
        "the first line has to name the columns, dog and start among them; here are "
          + "\(sentenceList(header.fields)): say which is which, as in --column start=Date+Time, "
          + "and whose walks they are with --dog")
    }
    guard unknown.isEmpty || ignoresUnknown else {
      let one = unknown.count == 1
      throw DataError(
        line: header.line,
        "the \(one ? "column" : "columns") \(sentenceList(unknown)) \(one ? "means" : "mean") nothing "
          + "here: say what \(one ? "it is" : "they are"), as in "
          + "\(Self.option(naming: unknown, beside: fields.map(\.field))), or give --ignore-unknown"
      )
    }
    return fields
  }

  /// The option that says what one of some columns is: the field that its name is near to, else any
  /// that is not there yet.
  private static func option(
    naming columns: [String], beside known: [WrittenWalk.Field]
  ) -> String {
    let open = [
      .end, .minutes, .duration, .metres, .distance, .kilometres, .miles, .note, .by, .pee, .poo,
      .tags,
    ].filter { !known.contains($0) }
    for column in columns {
      let key = key(column)
      let field =
        synonyms[key]
        ?? nearest(to: key, among: open.map(\.rawValue)).flatMap {
          WrittenWalk.Field(rawValue: $0)
        }
      if let field, open.contains(field) {
        return "--column \(field.rawValue)=\(column.shellWord)"
      }
    }
    return "--column FIELD=\(columns[0].shellWord) with one of the fields "
      + sentenceList(open.map(\.rawValue))
  }

  /// What spreadsheets call fields.
  private static let synonyms: [String: WrittenWalk.Field] = [
    "min": .minutes, "mins": .minutes, "minute": .minutes, "length": .duration, "time": .duration,
    "km": .kilometres, "kms": .kilometres, "kilometers": .kilometres, "m": .metres,
    "meters": .metres, "mi": .miles, "mile": .miles, "way": .distance, "until": .end, "to": .end,
    "finish": .end, "notes": .note, "comment": .note, "comments": .note, "remark": .note,
    "walker": .by, "who": .by, "person": .by, "tag": .tags,
  ]

  // MARK: Times

  /// A time as other programs and people write it, in ISO 8601; as it is where it may be that
  /// already.
  ///
  ///     try ImportRules().isoText("20.11.2026 18:00")   // 2026-11-20T18:00:00
  ///
  /// - Throws: `ValidationError` where the order of its numbers is open, or there is no such day.
  func isoText(_ typed: String) throws(ValidationError) -> String {
    let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let compact = Self.compact(text) { return compact }
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    guard let day = parts.first, let separator = day.first(where: { "./-".contains($0) }) else {
      return typed
    }
    let numbers = day.split(separator: separator, omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy({ WordScanner.isNumber($0) }) else { return typed }
    let isISO = numbers[0].count == 4
    guard !isISO || separator != "-" || (dates ?? .ymd) != .ymd else { return typed }
    guard let order = dates ?? (isISO ? .ymd : separator == "." ? .dmy : nil) else {
      let orders = [DateOrder.dmy, .mdy].filter { Self.date(numbers, $0) != nil }
      guard let only = orders.first else {
        throw ValidationError("there is no day \(ValidationError.quoted(String(day)))")
      }
      throw ValidationError(
        orders.count > 1
          ? "\(ValidationError.quoted(typed)) may be two days: say --dates dmy or --dates mdy"
          : "\(ValidationError.quoted(typed)) has the \(only == .dmy ? "day" : "month") in front: "
            + "say --dates \(only.rawValue)")
    }
    guard let date = Self.date(numbers, order) else {
      throw ValidationError(
        "there is no day \(ValidationError.quoted(String(day))), read as \(order.rawValue)")
    }
    guard parts.count == 2, let time = Self.time(String(parts[1])) else {
      throw ValidationError("\(ValidationError.quoted(typed)) has no time of day")
    }
    return "\(date)T\(time)"
  }

  /// The day of three numbers in some order; `nil` where there is none.
  private static func date(_ numbers: [Substring], _ order: DateOrder) -> CivilDate? {
    let positions: (year: Int, month: Int, day: Int) =
      switch order {
      case .dmy: (2, 1, 0)
      case .mdy: (2, 0, 1)
      case .ymd: (0, 1, 2)
      }
    guard let year = Int(numbers[positions.year]), let month = Int(numbers[positions.month]),
      let day = Int(numbers[positions.day])
    else { return nil }
    let century = numbers[positions.year].count == 2 ? 2000 : 0
    return CivilDate(year: century + year, month: month, day: day)
  }

  /// timewarrior's form: `20261120T170000Z`.
  private static func compact(_ text: String) -> String? {
    guard isCompact(text) else { return nil }
    let bytes = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):"
      + "\(part(13..<15))Z"
  }

  /// Whether a text has that form.
  static func isCompact(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 16 && bytes[8] == UInt8(ascii: "T") && bytes[15] == UInt8(ascii: "Z")
      && bytes.enumerated().allSatisfy {
        [8, 15].contains($0.offset) || WordScanner.isDigit($0.element)
      }
  }

  /// A time of day, `18:00`, `18.00.30`, `6:00 PM`, as ISO 8601 has it; `nil` where it is none.
  static func time(_ text: String) -> String? {
    var digits = text.lowercased().filter { $0 != " " }
    var isAfternoon: Bool?
    for (ending, isLate) in [("am", false), ("pm", true)] where digits.hasSuffix(ending) {
      isAfternoon = isLate
      digits.removeLast(2)
    }
    let numbers = digits.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard (2...3).contains(numbers.count), numbers.allSatisfy({ WordScanner.isNumber($0) }),
      var hour = Int(numbers[0]), let minute = Int(numbers[1])
    else { return nil }
    let second = numbers.count == 3 ? Int(numbers[2]) ?? 60 : 0
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard let time = ClockTime(hour: hour, minute: minute, second: second) else { return nil }
    return "\(time.hour.padded(to: 2)):\(time.minute.padded(to: 2)):\(time.second.padded(to: 2))"
  }
}

@available(*, unavailable)
extension ImportRules: Sendable {}
