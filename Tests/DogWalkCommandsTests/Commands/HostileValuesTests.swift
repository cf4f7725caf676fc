import CommandLineKit
import DataFormats
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Values that no walk, dog or command has, and that SQLite accepts all the same.
@Suite struct `Impossible values written by other programs` {
  private static let dates = [
    "NULL", "9e999", "-9e999", "1e300", "-1e300", "1e15", "-1e15", "-63114076800.0",
    "64092211200.0", "-63113904000.0", "252423993600.0", "9223372036854775807",
    "-9223372036854775808", "'soon'", "''", "x'00ff'", "5e-324", "0.0",
  ]
  private static let lengths = [
    "NULL", "9e999", "-9e999", "1e300", "1e15", "-600.0", "1e12", "1e-320", "'long'", "x'ff'",
    "9223372036854775807",
  ]
  private static let integers = [
    "NULL", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808", "64801",
    "-64801", "32768", "-1e19", "'two'", "x'ff'",
  ]
  private static let texts = [
    "NULL", "''", "x'ff00fe'", "CAST(x'ff41fe' AS TEXT)", "123", "1e300", "char(27) || '[31mred'",
    "char(155) || '31mred'", "char(0) || 'x'", "char(13) || 'x'", "char(8232) || char(8238) || 'x'",
    "'=1+1'", "'@' || char(9)", "zeroblob(100000)",
  ]

  /// Values in a column of a walk.
  private static let ofWalks: [(column: String, value: String)] =
    dates.map { ("ZDATE", $0) }
    + ["ZDURATION", "ZDISTANCE"].flatMap { column in lengths.map { (column, $0) } }
    + ["ZUTCOFFSET", "ZPEECOUNT", "ZPOOCOUNT", "ZISONGOING", "ZDOG", "ZWALKER", "ZTRACK"].flatMap {
      column in integers.map { (column, $0) }
    }
    // Not two of them with one order key, which no undo can tell apart.
    + integers.filter { $0 != "-1e19" }.map { ("Z_FOK_DOG", $0) }
    + ["ZNOTE", "ZUUID"].flatMap { column in texts.map { (column, $0) } }

  /// Values in a column of a dog.
  private static let ofDogs: [(column: String, value: String)] =
    lengths.map { ("ZMAXIMUMGAP", $0) }
    + integers.map { ("ZTARGETMINUTES", $0) }
    + ["ZNAME", "ZNAMEKEY"].flatMap { column in texts.map { (column, $0) } }

  /// Walks of a missing dog or walker: an undo does not restore the reference.
  private static let strays = walks { ["ZDOG", "ZWALKER"].contains($0) }
  /// Walks with a missing track, which no edit can repair.
  private static let trackless = walks { $0 == "ZTRACK" }

  /// The walks that have something in a column, by their numbers.
  private static func walks(_ isMeant: (String) -> Bool) -> Set<Int> {
    Set(zip(100..., ofWalks).filter { isMeant($1.column) && $1.value != "NULL" }.map(\.0))
  }

  private let prompt: Prompt
  /// The walks that have such a value, by their numbers.
  private let walks = 100..<100 + ofWalks.count

  /// A store with a row for each value.
  init() throws {
    prompt = try Prompt()
    for words in [
      ["add", "Fido", "35m", "yesterday", "18:00", "--note", "rain"],
      ["add", "Fido", "5m", "today", "7:30"],
    ] { #expect(prompt.run(words).code == 0) }
    var sql = "BEGIN;"
    func copy(_ table: String, as key: Int, _ column: String, _ value: String) {
      sql += """
        CREATE TEMP TABLE copy AS SELECT * FROM \(table) WHERE Z_PK = 1;
        UPDATE copy SET Z_PK = \(key),
          \(table == "ZDOG" ? "ZNAMEKEY = 'dog\(key)'" : "Z_FOK_DOG = 1000 * \(key)");
        UPDATE copy SET \(column) = \(value);
        INSERT OR REPLACE INTO \(table) SELECT * FROM copy;
        DROP TABLE copy;
        """
    }
    for (key, (column, value)) in zip(walks, Self.ofWalks) { copy("ZWALK", as: key, column, value) }
    for (index, (column, value)) in Self.ofDogs.enumerated() {
      copy("ZDOG", as: 100 + index, column, value)
      // Each has been out.
      sql += """
        INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZISONGOING, ZDOG, ZDATE)
        SELECT \(1000 + index), Z_ENT, 1, 0, \(100 + index), ZDATE FROM ZWALK WHERE Z_PK = 1;
        """
    }
    sql += """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2000;
      UPDATE MO_UNDO SET AT = 9e999, NAME = char(27) || '[31m' WHERE SERIAL = 1;
      COMMIT
      """
    try prompt.sql(sql)
  }

  /// The answer of a command, which contains no terminal escapes, and is no bug.
  @discardableResult
  private func run(
    _ words: [String], codes: Set<Int32> = [0], location: SourceLocation = #_sourceLocation
  ) -> Prompt.Answer {
    let answer = prompt.run(words)
    #expect(
      codes.contains(answer.code), "\(words): \(answer.code) \(answer.errors)",
      sourceLocation: location)
    let isQuiet = (answer.output + answer.errors).unicodeScalars.allSatisfy {
      !$0.isControl || ["\t", "\n", "\r"].contains($0)
    }
    #expect(isQuiet, "\(words)", sourceLocation: location)
    return answer
  }

  @Test(
    arguments: [
      "list", "list --json", "list --csv", "list --reverse", "list --limit 5",
      "list --reverse --limit 5", "list --today", "list --since 2026-01-01", "list --until mon",
      "list --by ana", "list --note x", "list --dog Fido", "list --where duration>5",
      "report", "report --json", "report --csv", "report --svg -", "report --month --by-week",
      "report --since 2026-01-01 --by-month", "report --dog Fido --json",
      "export", "export --format csv", "export --format ics", "dogs", "dogs --json",
      "dogs --dog Fido", "dogs --check --within 8h", "history", "history --json",
      "history --limit 1",
      "completions fish -- delete ", "completions fish -- add ", "delete --dry-run 100 110 120",
      "dogs delete --dry-run Fido",
    ], [false, true])
  func `make no reading command fail`(line: String, isTerminal: Bool) throws {
    if isTerminal { prompt.terminal = Terminal(isTerminal: true, columns: 100, rows: nil) }
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let answer = run(words, codes: [0, 1])
    guard words.contains("--json") || line == "export" else { return }
    let name = ["report": "report", "dogs": "dogs", "history": "history"][words[0]] ?? "list"
    #expect(try JSONSchema().problems(in: answer.output, as: name) == [])
  }

  /// The walks as JSON, by their numbers: a text in place of a date is sorted differently from nil.
  private func lines() -> [String] {
    run(["list", "--json"]).output.split(separator: "\n").map { line in
      line.hasSuffix(",") ? String(line.dropLast()) : String(line)
    }.sorted()
  }

  @Test func `hide no walk`() throws {
    let count = Self.ofWalks.count + Self.ofDogs.count + 2
    for words in [["list"], ["list", "--reverse"]] {
      let found = run(words).output.split(separator: "\n").count
      #expect(found == count)
    }
    let numbers = run(["list"]).output.split(separator: "\n").compactMap {
      $0.split(separator: "\t").first
    }
    #expect(Set(numbers).count == count)
    prompt.terminal = Terminal(isTerminal: true, columns: 100, rows: nil)
    let lines = run(["list"]).output.split(separator: "\n")
    // Dogs that were out together are one line: `3-5` or `3 7` before two spaces.
    var shown: Set<Int> = []
    for line in lines {
      let column = line.drop { $0 == " " }.prefix { $0.isNumber || "- ".contains($0) }
      for part in column.split(separator: "  ").prefix(1).flatMap({ $0.split(separator: " ") }) {
        let ends = part.split(separator: "-").compactMap { Int($0) }
        if let first = ends.first, let last = ends.last { shown.formUnion(first...last) }
      }
    }
    for number in walks { #expect(shown.contains(Int(number)), "\(number)") }
  }

  @Test func `are repaired by an edit, which one undo reverts`() throws {
    let mended = walks.filter { !Self.strays.union(Self.trackless).contains($0) }
    let before = lines()
    for number in mended {
      run([
        "edit", "\(number)", "yesterday", "17:00", "40m", "--dog", "Fido", "--distance", "2km",
        "--note", "sun", "--by", "Ana", "--pee=1", "--poo=1",
      ])
    }
    let after = lines()
    let end =
      #""dog": "Fido", "start": "2026-11-20T17:00:00+01:00", "end": "2026-11-20T17:40:00+01:00", "#
      + #""minutes": 40, "metres": 2000, "note": "sun", "by": "Ana", "pee": 1, "poo": 1, "ongoing": false, "tags": []}"#
    for number in mended {
      let line = after.first { $0.hasPrefix("  {\"id\": \(number),") }
      #expect(line?.contains(end) == true, "\(number): \(line ?? "")")
    }
    for _ in mended { run(["undo"]) }
    if lines() != before { Issue.record("the walks are not as before") }
  }

  @Test func `are deleted with their walks, which one undo restores`() throws {
    let before = lines()
    for number in walks where !Self.strays.union(Self.trackless).contains(number) {
      run(["delete", "\(number)"])
      run(["undo"])
    }
    if lines() != before { Issue.record("the walks are not as before") }
    for number in Self.strays {
      run(["edit", "\(number)", "--dog", "Fido", "--by", "Ana"])
      run(["delete", "\(number)"])
      run(["undo"])
    }
    run(["delete", "-y"] + walks.map(String.init))
    let rest = run(["list"]).output.split(separator: "\n").count
    #expect(rest == Self.ofDogs.count + 2)
  }

  @Test func `are reported as missing where an edit keeps them`() throws {
    // The first has no date.
    let answer = run(["edit", "100", "--note", "x"], codes: [65])
    #expect(
      answer.errors
        == "dogwalk: walk 100 has no date and cannot be saved. Nothing was changed. "
        + "Set it: dogwalk edit 100 yesterday 18:00\n")
  }

  @Test func `do not prevent renaming, setting or deleting a dog`() throws {
    // The one whose name is missing, the one with an empty key and the one without a key.
    for column in ["ZNAME", "ZNAMEKEY"] {
      for value in ["NULL", "''"] {
        let prompt = try Prompt()
        for words in [["add", "Fido", "5m"], ["add", "--dog", "Rex", "5m"]] {
          _ = prompt.run(words)
        }
        try prompt.sql("UPDATE ZDOG SET \(column) = \(value) WHERE Z_PK = 2")
        let name = column == "ZNAME" && value == "''" ? "rex" : column == "ZNAME" ? "rex" : "Rex"
        #expect(prompt.run("dogs", "rename", name, "Max").code == 0, "\(column) \(value)")
        #expect(prompt.run("dogs", "set", "Max", "--target", "60m").code == 0)
        #expect(prompt.run("add", "--dog", "Max", "6m").code == 0)
        #expect(prompt.run("dogs", "delete", "-y", "Max").code == 0)
        #expect(prompt.run("list").output.split(separator: "\n").count == 1)
      }
    }
  }
}
