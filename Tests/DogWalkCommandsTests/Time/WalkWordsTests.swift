import CommandLineKit
import Testing

@testable import DogWalkCommands

extension KnownNames {
  /// Existing dogs.
  static func dogs(_ names: String...) -> KnownNames { KnownNames(dogs: { names }) }
}

@Suite struct `The words of add` {
  let clock: WallClock

  init() throws {
    clock = try .berlin("2026-11-23T18:00:00Z")  // Monday, 19:00
  }

  func read(
    _ words: [String], isNew: Bool = false,
    names: KnownNames = .dogs("Fido", "Rex", "Old Yeller", "May", "Bella", "🐶", "Ümit")
  ) throws -> WalkWords {
    var context = WalkWords.Context()
    context.isNew = isNew
    return try WalkWords(words, names: names, clock: clock, context: context)
  }

  /// The sorted words as one line: dogs, minutes, start.
  func line(_ text: String) throws -> String {
    let words = try read(text.split(separator: " ").map(String.init))
    let minutes = words.duration.map { "\($0.components.seconds / 60)" }
    return [words.dogs.joined(separator: "+"), minutes ?? "-", words.start?.iso8601 ?? "-"]
      .joined(separator: " ")
  }

  @Test(arguments: [
    ("", " - -"),
    ("Fido", "Fido - -"),
    ("Fido 35m yesterday 18:00", "Fido 35 2026-11-22T18:00:00+01:00"),
    ("Fido Rex 1h15 mon 7:30", "Fido+Rex 75 2026-11-23T07:30:00+01:00"),
    ("yesterday 18:00 35m Fido", "Fido 35 2026-11-22T18:00:00+01:00"),
    ("35 Fido", "Fido 35 -"),
    ("360", " 360 -"),
    ("1h 15m Fido", "Fido 75 -"),
    ("1h 15 Fido", "Fido 75 -"),
    ("1 h 15 min Fido", "Fido 75 -"),
    ("Fido 30m ago", "Fido - 2026-11-23T18:30:00+01:00"),
    ("3 days ago Fido 20", "Fido 20 2026-11-20T19:00:00+01:00"),
    ("20 3 days ago", " 20 2026-11-20T19:00:00+01:00"),
    ("45 30m ago", " 45 2026-11-23T18:30:00+01:00"),
    ("35m 2h ago", " 35 2026-11-23T17:00:00+01:00"),
    ("1:15", " - 2026-11-23T01:15:00+01:00"),
    ("7am Fido", "Fido - 2026-11-23T07:00:00+01:00"),
    ("2026-11-20 7:30 90s", " 1 2026-11-20T07:30:00+01:00"),
    ("2026-11-20T07:30Z Rex", "Rex - 2026-11-20T07:30:00+00:00"),
    ("May 35m", "May 35 -"),
    ("Bella 🐶 Ümit", "Bella+🐶+Ümit - -"),
  ])
  func `are sorted in any order`(text: String, expected: String) throws {
    #expect(try line(text) == expected)
  }

  @Test(arguments: [
    (["7:30", "1:15"], "A duration is written 1h15."),
    (["yesterday", "35m", "18:00"], "is a whole day"),
    (["18:00", "2h", "ago"], "second time"),
    (["35m", "20m"], "second duration"),
    (["Fido", "yesterday"], "is a whole day"),
    (["Fido", "25:99"], "hours go from 0 to 23"),
    (["Fido", "2026-13-45"], "there is no month 13"),
    (["yestreday", "18:00"], "Did you mean yesterday?"),
    (["wendesday", "18:00"], "Did you mean wednesday?"),
    (["Old Yelller"], "nor a known dog"),
    (["yesterday 18.00"], "Write 18:00."),
    (["Fido", "500"], "Write 5:00, or 500min"),
    (["Fido", "7.30"], "Write 7:30."),
    (["Fido", "half", "past", "7"], "Write 7:30, or 19:30."),
    (["Fido", "3", "days"], "\"days\" is neither"),
    (["Fido", ""], "one word is empty"),
    (["Fido", "-5m"], "cannot be negative"),
    (["Fido", "-1", "days", "ago"], "cannot be negative"),
    (["Fido", "-1 days ago"], "cannot be negative"),
    (["Fido", "30", "Feb"], "Write 2026-11-20 18:00"),
    (["Fido", "20", "Nov", "18:00"], "Write 2026-11-20 18:00"),
    (["Fido", "Nov", "20"], "Write 2026-11-20 18:00"),
    (["Fido", "November", "20th,", "2026"], "Write 2026-11-20 18:00"),
    (["Fido", "Fri", "20", "Nov", "18:00"], "Write 2026-11-20 18:00"),
    (["Fido", "20 Nov 18:00"], "Write 2026-11-20 18:00"),
    (["Fido", "yest", "evening"], "\"yest\" is neither"),
    (["Fido", "in", "the", "park"], "\"in\" is neither"),
    (["Fido,Rex", "5m"], "Write spaces between words: Fido Rex."),
    (["Fido,", "Rex"], "\"Fido,\" has a comma in it. Leave the comma out: Fido."),
    (["add", "Fido"], "\"add\" is a command. Write dogwalk add;"),
    (["Fido", "help"], "for a dog of that name, --dog help."),
    (["Fido", "..."], "is neither"),
    (["Fido", "0730"], "Write 07:30, or 730min."),
    (["Fido", "0130"], "Write 01:30, or 130min."),
    (["Fido", "1,5x"], "is neither"),
    (["2026-11-20T18:00", "+01:00"], "as in 2026-11-20T18:00+01:00."),
    (["", "5"], "one word is empty"),
    (["", "18:00"], "one word is empty"),
    (["Fido", "mon"], "is a whole day"),
  ])
  func `without a walk are refused with a hint`(words: [String], hint: String) {
    let error = #expect(throws: ValidationError.self) { try read(words) }
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("2026-11-20T09:10:00Z", "today", "Write today 9:00 or 2h ago."),
    ("2026-11-20T09:10:00Z", "fri 30m", "Write fri 9:00 or 2h ago."),
    ("2026-11-20T09:10:00Z", "thu", "Write thu 18:00 or 2h ago."),
    ("2026-11-20T09:10:00Z", "2026-12-24", "Write 2h ago."),
    ("2026-11-20T17:00:00Z", "today", "Write today 18:00 or 2h ago."),
    ("2026-11-19T23:30:00Z", "today", "Write 2h ago."),
    ("2026-11-20T05:00:00Z", "this morning", "Write today 5:00."),
    ("2026-11-20T11:30:00Z", "this afternoon", "Write today 11:30."),
    ("2026-11-20T11:30:00Z", "this evening", "Write today 11:30."),
    ("2026-11-20T11:30:00Z", "after dinner", "Write today 11:30."),
  ])
  func `of a day without a time offer one that has passed`(
    now: String, text: String, hint: String
  ) throws {
    let clock = try WallClock.berlin(now)
    let words = text.split(separator: " ").map(String.init)
    let error = #expect(throws: ValidationError.self) {
      try WalkWords(words, names: .dogs("Fido"), clock: clock)
    }
    #expect(error?.message.hasSuffix(hint) == true, "\(error?.message ?? "")")
  }

  @Test func `with an unknown name create no dog, and suggest known ones`() {
    let error = #expect(throws: ValidationError.self) { try read(["Rexx"]) }
    #expect(
      error?.message
        == "there is no dog \"Rexx\". Did you mean Rex? For a dog of that name: --dog Rexx")
  }

  @Test(arguments: ["Bella", "Zoë", "Ümit", "ポチ"])
  func `create the first dog, where its name is one of letters`(name: String) throws {
    #expect(try read([name, "35m"], names: .dogs()).dogs == [name])
  }

  @Test(arguments: [
    ["Bella", "Max"], ["at", "home"], ["yestreday"], ["500"], ["7.30"], ["4Paws"], ["🐶"],
    ["Bella", "tomorrow"], ["walk"],
  ])
  func `create no first dog from anything else`(words: [String]) {
    #expect(throws: ValidationError.self) { try read(words, names: .dogs()) }
  }

  @Test(arguments: ["Old Yeller", "old yeller"])
  func `with a space are an existing dog`(name: String) throws {
    #expect(try read([name]).dogs == ["Old Yeller"])
  }

  @Test func `with a space are a time or a duration`() throws {
    let words = try read(["yesterday 18:00", "1h 15m"])
    #expect(words.start?.iso8601 == "2026-11-22T18:00:00+01:00")
    #expect(words.duration == .seconds(4500))
  }

  @Test(arguments: ["at", "500", "4Paws"])
  func `that look odd are an existing dog`(name: String) throws {
    #expect(try read([name], names: .dogs("at", "500", "4Paws")).dogs == [name])
  }

  @Test func `ask for no dog where they name none`() throws {
    struct Asked: Error {}
    let names = KnownNames(dogs: { throw Asked() }, walkers: { throw Asked() })
    #expect(try read(["35m", "yesterday", "18:00"], names: names).duration == .seconds(2100))
  }

  @Test func `are a dog that another command has added since the look-up`() throws {
    let names = KnownNames(dog: { _ in nil }, dogs: { ["Fido"] })
    #expect(try read(["fido", "35m"], names: names).dogs == ["Fido"])
  }

  @Test func `hide a dog whose name is a time or a duration`() {
    #expect(["Mon", "Today", "7am", "35", "1h 15m", "2km", "noon"].allSatisfy(WalkWords.hides))
    #expect(["May", "Fido", "Monty", "Old Yeller", ""].allSatisfy { !WalkWords.hides($0) })
  }
}
