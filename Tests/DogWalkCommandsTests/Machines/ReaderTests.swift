import DataFormats
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// How other programs read the program's files.
@Suite(.enabled(if: Python.isInstalled, "there is no python3")) struct `What Python reads` {
  /// The program's files, by their paths.
  private func exported(_ names: [String], from prompt: Prompt) -> [String] {
    names.map { name in
      let path = prompt.file(name).path
      #expect(prompt.run("export", "-o", path).code == 0)
      return path
    }
  }

  /// Walks with everything in their texts that could trip up a format.
  private func filled() throws -> Prompt {
    let prompt = try Prompt()
    let notes = [
      "plain", "=1+1", "@SUM(A1)", "-2", "+3", "'", "\"", "\"\"", ",", ";", "\\", "\\n", "\\,",
      "a\nb",
      "a\n\nb\n", "\nfirst", "tab\tbehind", " blank before", "blank behind ",
      "rain, \"cats\"; and\n=x",
      "ポチ 🐶 🇧🇷 👩‍👩‍👧", "שלום Fido", "e\u{301}", "BEGIN:VEVENT", "END:VCALENDAR\nBEGIN:X", ":",
      "\u{FEFF}x",
      "\u{2028}", String(repeating: "ü", count: 40), String(repeating: "🐶", count: 200),
      String(repeating: "x", count: 10_000), String(repeating: ",\"\n", count: 500),
    ]
    for (number, note) in notes.enumerated() {
      let answer = prompt.run(
        "add", "--dog", number % 3 == 0 ? "Fido, \"Sir\"" : "Rex; \\n", "\(number + 5)m",
        "--at", "2026-11-\(number % 9 + 10) 0\(number % 10):15", "--note=\(note)", "--by",
        "Ana, B.",
        "--distance", "2.4km", "--pee=2", "--new")
      #expect(answer.code == 0, "\(answer)")
    }
    _ = prompt.run("add", "--dog", "Fido, \"Sir\"", "--at", "2h ago")
    _ = prompt.run("start", "--dog", "Rex; \\n", "5m ago")
    return prompt
  }

  private func expectAgreement(
    _ script: String, _ words: [String], location: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try Python.run(script, words)
    #expect(answer.lines == ["34 walks"], sourceLocation: location)
  }

  @Test func `from CSV equals what it reads from JSON`() throws {
    let prompt = try filled()
    let files = exported(["walks.csv", "walks.json"], from: prompt)
    try expectAgreement(
      #"""
      import csv, json, re, sys
      def shown(cell):
        # The apostrophe by which a spreadsheet knows a text.
        return cell[1:] if re.match("'+[-=+@\t\n\r]", cell) else cell
      with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
      walks = json.load(open(sys.argv[2], encoding="utf-8"))["walks"]
      assert len(rows) == len(walks)
      for row, walk in zip(rows, walks):
        # A track has no place in a line.
        del walk["track"]
        assert list(row) == list(walk), (row, walk)
        walk["tags"] = " ".join(walk["tags"])
        for name, value in walk.items():
          if isinstance(value, (int, float)):
            assert float(row[name]) == value, (name, row[name], value)
          else:
            assert shown(row[name]) == (value or ""), (name, row[name], value)
            assert not re.match("[-=+@\t\n\r]", row[name]), (name, row[name])
      print(len(rows), "walks")
      """#, files)
  }

  @Test func `from a calendar follows RFC 5545`() throws {
    let prompt = try filled()
    let files = exported(["walks.ics", "walks.json"], from: prompt)
    let script = try String(
      contentsOf: URL.projectFolder.appending(path: "Tests/Tables/check-calendar.py"),
      encoding: .utf8)
    try expectAgreement(script, files)
  }

  @Test(.enabled(if: Python.has("icalendar"), "Python's icalendar is not there"))
  func `from a calendar with the dedicated library is every walk`() throws {
    let prompt = try filled()
    let files = exported(["walks.ics", "walks.json"], from: prompt)
    try expectAgreement(
      #"""
      import datetime, json, sys
      from icalendar import Calendar
      calendar = Calendar.from_ical(open(sys.argv[1], "rb").read())
      walks = json.load(open(sys.argv[2], encoding="utf-8"))["walks"]
      events = calendar.walk("VEVENT")
      assert len(events) == len(walks) and not calendar.errors
      for event, walk in zip(events, walks):
        assert not event.errors, event.errors
        assert event["UID"] == walk["uuid"]
        assert event.decoded("DTSTART") == datetime.datetime.fromisoformat(walk["start"])
        if walk["end"]:
          assert event.decoded("DTEND") == datetime.datetime.fromisoformat(walk["end"])
        assert walk["dog"] in event["SUMMARY"], (walk["dog"], event["SUMMARY"])
        expected = (walk["note"] or "").replace("	", "	")
        assert event.get("DESCRIPTION", "") == expected, (event.get("DESCRIPTION"), expected)
      print(len(events), "walks")
      """#, files)
  }

  @Test(.enabled(if: Python.has("jsonschema"), "Python's jsonschema is not there"))
  func `from JSON conforms to the schema`() throws {
    let prompt = try filled()
    let documents = [
      ["list", "--json"], ["export"], ["dogs", "--json"], ["history", "--json"],
      ["doctor", "--json"], ["report", "--json", "--days", "30"],
      ["report", "--json", "--by-month", "--month"], ["add", "--dog", "Luna", "5m", "--json"],
      ["edit", "1", "--note=", "--json"], ["stop", "--json"], ["continue", "1", "--json"],
      ["list", "Rex; \\n", "--json"], ["start", "--dog", "Luna", "--json"],
      ["delete", "2", "--json"], ["undo", "--json"], ["redo", "--json"],
      ["dogs", "set", "Luna", "--target", "60m", "--json"], ["dogs", "use", "Luna", "--json"],
      ["dogs", "add", "Odin", "--json"], ["dogs", "rename", "Odin", "Thor", "--json"],
      ["dogs", "delete", "Thor", "--yes", "--json"],
    ]
    var files: [String] = []
    for words in documents {
      let answer = prompt.run(words)
      #expect(answer.code == 0, "\(words): \(answer)")
      let file = prompt.file("\(files.count).json")
      try Data(answer.output.utf8).write(to: file)
      files.append(file.path)
    }
    let schema = URL.projectFolder.appending(path: "Schemas/dogwalk.schema.json").path
    let answer = try Python.run(
      """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open(sys.argv[1], encoding="utf-8"))
      Draft202012Validator.check_schema(schema)
      validator = Draft202012Validator(schema)
      for name in sys.argv[2:]:
        validator.validate(json.load(open(name, encoding="utf-8")))
      print(len(sys.argv) - 2)
      """, [schema] + files)
    #expect(answer.lines == ["\(documents.count)"])
  }
}

extension Python {
  /// Whether a module is installed that is not part of Python.
  fileprivate static func has(_ module: String) -> Bool {
    (try? run("import \(module)")) != nil
  }
}
