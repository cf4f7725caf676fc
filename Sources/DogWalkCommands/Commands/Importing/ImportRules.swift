import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// What the options of `dogwalk import` define about files from other programs.
struct ImportRules {
  /// The order of a date's numbers.
  enum DateOrder: String, Sendable {
    case dmy, mdy, ymd
  }

  /// The fields made of CSV columns, with the column names as typed.
  private(set) var columns: [(field: WrittenWalk.Field, names: [String])] = []
  /// The order of dates; `nil` if the files show it themselves.
  private(set) var dates: DateOrder?
  /// Whether to ignore unknown columns and keys.
  private(set) var ignoresUnknown = false
  /// The dog of walks that name none.
  private(set) var dog: String?
  /// Returns whether there is a dog with a name.
  private(set) var isDog: (String) throws -> Bool = { _ in false }
  /// Returns whether there is any dog.
  private(set) var hasDogs: () throws -> Bool = { false }
  /// Returns the names of the existing dogs by their identifiers.
  private(set) var dogNames: () throws -> [UUID: String] = { [:] }
  /// Returns the times and the dog of the walk with an identifier; `nil` if there is none.
  private(set) var storedTimes: (UUID) throws -> WalkLog.Times? = { _ in nil }
  /// Returns whether a walk, with a length in seconds, is as it was when it was exported.
  private(set) var wasExported: (UUID, WalkVersion, Double) throws -> Bool = { _, _, _ in false }
  /// Returns the names of the existing tags.
  private(set) var tagNames: () throws -> [String] = { [] }
  /// How the program is called in the commands that hints suggest.
  private(set) var call = "dogwalk"

  /// Creates the default rules.
  init() {}

  /// Reads the options of a run.
  ///
  /// - Throws: `ValidationError` if one cannot be read, or two define the same field.
  init(_ run: CommandRun) throws {
    call = run.call
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
    var isAnyThere: Bool?
    hasDogs = {
      if let isAnyThere { return isAnyThere }
      let exists = try !run.log().dogs().isEmpty
      isAnyThere = exists
      return exists
    }
    var tags: [String]?
    tagNames = {
      let names = try tags ?? run.log().tagNames()
      tags = names
      return names
    }
    var names: [UUID: String]?
    dogNames = {
      if let names { return names }
      var found: [UUID: String] = [:]
      for dog in try run.log().dogs() { found[dog.sharedIdentifier] = dog.name }
      names = found
      return found
    }
    // Looked up only if an end and a length disagree, or if several dogs share a walk: then all
    // walks are read, as for the import itself. These are values, since the import reads the walks
    // again within its transaction.
    var times: [UUID: WalkLog.Times]?
    storedTimes = { uuid in
      if let times { return times[uuid] }
      let read = try run.log().timesByIdentifier()
      times = read
      return read[uuid]
    }
    wasExported = { try run.log().wasExported(walkWith: $0, as: $1, seconds: $2) }
  }

  /// Returns a column's name in the form used for comparisons.
  static func key(_ name: String) -> String { name.lowercased().filter { !$0.isWhitespace } }

  /// The column with the time of day of an end made of several columns; `nil` if there is none.
  ///
  /// It is the only one of them that does not belong to the start as well.
  var timeColumnOfEnd: String? {
    func keys(_ field: WrittenWalk.Field) -> [String] {
      columns.first { $0.field == field }?.names.map(Self.key) ?? []
    }
    let (start, end) = (keys(.start), columns.first { $0.field == .end }?.names ?? [])
    let own = end.filter { !start.contains(Self.key($0)) }
    return end.count > 1 && own.count == 1 ? own[0] : nil
  }

  /// Returns the fields that the columns of a header make, each with its columns in order.
  ///
  /// - Throws: `DataError` for a column that is missing, repeated or unknown.
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
              + Self.names(in: header))
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
            line: header.line, "the column \(header.fields[column]) occurs twice")
        }
        continue
      }
      fields.append((field, [column]))
    }
    let has = { (field: WrittenWalk.Field) in fields.contains { $0.field == field } }
    guard keys.first != "begin:vcalendar" else {
      throw DataError(
        line: header.line,
        "it is a calendar, which lacks much about walks: export them as JSON or CSV instead")
    }
    guard has(.start), has(.dog) || dog != nil else {
      throw DataError(
        line: header.line,
        "the first line has to name the columns, dog and start among them; here are "
          + "\(Self.names(in: header)): say which is which, as in --column start=Date+Time, "
          + "and whose walks they are with --dog")
    }
    guard !ignoresUnknown else { return fields }
    let nameless = keys.indices.filter { keys[$0].isEmpty }
    guard nameless.isEmpty else {
      let one = nameless.count == 1
      throw DataError(
        line: header.line,
        "\(one ? "column" : "columns") \(sentenceList(nameless.map { String($0 + 1) })) "
          + "\(one ? "has" : "have") no name: name \(one ? "it" : "them") in the file, or leave "
          + "\(one ? "it" : "them") out with --ignore-unknown")
    }
    guard unknown.isEmpty else {
      let one = unknown.count == 1
      throw DataError(
        line: header.line,
        "the \(one ? "column" : "columns") \(sentenceList(unknown)) \(one ? "is" : "are") "
          + "unknown: say what \(one ? "it is" : "they are"), as in "
          + "\(Self.option(naming: unknown, beside: fields.map(\.field))), or give --ignore-unknown"
      )
    }
    return fields
  }

  /// Returns the named columns as a sentence lists them.
  private static func names(in header: CSVReader.Record) -> String {
    sentenceList(header.fields.filter { !key($0).isEmpty })
  }

  /// Returns an option that defines an unknown column.
  ///
  /// Its field has a name similar to the column's; otherwise the option lists the unused fields.
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

  /// Common column names in spreadsheets.
  private static let synonyms: [String: WrittenWalk.Field] = [
    "min": .minutes, "mins": .minutes, "minute": .minutes, "length": .duration, "time": .duration,
    "km": .kilometres, "kms": .kilometres, "kilometers": .kilometres, "m": .metres,
    "meters": .metres, "mi": .miles, "mile": .miles, "way": .distance, "until": .end, "to": .end,
    "finish": .end, "notes": .note, "comment": .note, "comments": .note, "remark": .note,
    "walker": .by, "who": .by, "person": .by, "tag": .tags,
  ]
}

@available(*, unavailable)
extension ImportRules: Sendable {}
