import Foundation
import Testing

@testable import DogWalkCommands

/// Output for programs, checked against the project's schema for it.
@Suite struct `The output of --json` {
  @Test func `conforms to the schema, with and without walks`() throws {
    let schema = try JSONSchema()
    let prompt = try Prompt()
    func check(_ definition: String, _ words: String...) throws {
      let answer = prompt.run(words)
      let faults = try schema.problems(in: answer.output, as: definition)
      #expect(faults == [], "dogwalk \(words)")
    }
    func checkReading() throws {
      try check("list", "list", "--json")
      try check("list", "export")
      try check("dogs", "dogs", "--json")
      try check("history", "history", "--json")
      try check("doctor", "doctor", "--json")
      try check("config", "config", "--json")
      try check("walkers", "walkers", "--json")
      try check("tags", "tag", "--json")
    }
    try checkReading()
    try check("changes", "add", "Fido", "35m", "--json", "--by", "Ana", "--note", "rain", "--pee")
    try check("changes", "add", "Fido", "--dog", "Rex", "yesterday", "18:00", "--json")
    try check("changes", "edit", "1", "2", "--by", "Ana", "--json")
    try check("changes", "tag", "1", "2", "+prak", "--json")
    try check("changes", "tag", "2", "+park", "--json")
    try check("tags", "tag", "merge", "prak", "park", "--json")
    try check("tags", "tag", "rename", "park", "wood", "--json")
    try check("changes", "delete", "1", "--json", "--dry-run")
    try check("changes", "delete", "1", "2", "--json")
    try check("changes", "undo", "--json")
    try check("changes", "redo", "--json")
    try check("changes", "undo", "--json")
    try checkReading()
    _ = prompt.run("export", "-o", prompt.file("walks.json").path)
    try check("import", "import", prompt.file("walks.json").path, "--json")
    let other = prompt.file("other.sqlite").path
    try check("sync", "sync", other, "--json", "--dry-run")
    try check("sync", "sync", other, "--json")
    _ = prompt.run("edit", "1", "--note", "rain")
    _ = prompt.run("--store", other, "edit", "1", "2", "--note", "snow")
    try check("sync", "sync", other, "--json")
    try check("doctor", "doctor", "--json")
  }

  @Test func `is refused by the schema where it is something else`() throws {
    let schema = try JSONSchema()
    for text in [
      #"{"schema": 2, "walks": []}"#, #"{"schema": 1}"#, #"{"schema": 1, "walks": {}}"#,
      #"{"schema": 1, "walks": [{"id": 1}]}"#, #"{"schema": 1, "walks": [], "more": 1}"#,
    ] {
      #expect(try !schema.problems(in: text, as: "list").isEmpty, "\(text)")
    }
  }
}
