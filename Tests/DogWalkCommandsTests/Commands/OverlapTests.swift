import Testing

@testable import DogWalkCommands

@Suite struct `A walk at a time when the dog was already out` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m", "fri", "18:00")
  }

  @Test(arguments: [
    ["17:30", "31m"], ["17:30", "2h"], ["18:34", "10m"], ["18:10", "5m"], ["18:10"], ["18:00"],
    ["18:00", "10m"],
  ])
  func `is recorded with a note`(words: [String]) {
    let answer = prompt.run(["add", "fido", "fri"] + words)
    #expect(answer.code == 0)
    #expect(
      answer.errors
        == "Note: walk 2 overlaps walk 1: Fido, yesterday 18:00, 35 min. "
        + "If that is a mistake: dogwalk delete 2\n")
  }

  @Test(arguments: [
    ["fido", "fri", "17:30", "30m"], ["fido", "fri", "18:35", "10m"], ["fido", "fri", "17:00"],
    ["fido", "fri", "18:35"], ["--dog", "rex", "fri", "18:00", "35m"],
  ])
  func `is not noted where it is only adjacent, or another dog's`(words: [String]) {
    #expect(prompt.run(["add"] + words).errors.isEmpty)
  }

  @Test func `is noted while the dog is out, and beside a single moment within it`() {
    _ = prompt.run("start", "--dog", "Rex", "30m", "ago")
    #expect(
      prompt.run("add", "--dog", "Rex", "10m").errors
        == "Note: walk 3 overlaps walk 2: Rex, today 19:30, going on. "
        + "If that is a mistake: dogwalk delete 3\n")
    _ = prompt.run("add", "Fido", "fri", "12:00")
    #expect(prompt.run("add", "Fido", "fri", "11:30", "1h").errors.contains("overlaps walk 4"))
  }

  @Test func `is noted when it is moved there, but not beside itself`() {
    _ = prompt.run("add", "Fido", "20m", "fri", "8:00")
    #expect(prompt.run("edit", "2", "fri", "8:10").errors.isEmpty)
    #expect(
      prompt.run("edit", "2", "yesterday", "18:30").errors
        == "Note: walk 2 overlaps walk 1: Fido, yesterday 18:00, 35 min. "
        + "If that is a mistake: dogwalk undo\n")
  }

  @Test func `is noted however many begin when it ends`() {
    for length in 1...9 { _ = prompt.run("add", "Fido", "\(length)m", "fri", "18:35") }
    #expect(
      prompt.run("add", "Fido", "35m", "fri", "18:00").errors
        == "Note: walk 1 of Fido is the same. If that is one too many: dogwalk delete 11\n")
  }

  @Test func `is noted among any number of walks`() {
    for minute in 10..<50 { _ = prompt.run("add", "Fido", "1h", "fri", "12:\(minute)") }
    #expect(
      prompt.run("add", "Fido", "1h", "fri", "12:49").errors
        == "Note: walk 41 of Fido is the same. If that is one too many: dogwalk delete 42\n")
    #expect(
      prompt.run("add", "Fido", "1h", "fri", "12:10").errors
        == "Note: walk 2 of Fido is the same. If that is one too many: dogwalk delete 43\n")
  }
}
