import CSQLite
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Commands that have read a name and wait for another one's commit, which changes just that.
@Suite(.serialized) struct `What changes while a command waits` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "--dog", "Fido", "--dog", "Rex", "5m", "--by", "Mummy")
  }

  /// What a command answers while another program commits something.
  private func answer(
    to words: [String], meanwhile sql: String, location: SourceLocation = #_sourceLocation
  ) throws -> Prompt.Answer {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    let path = try #require(prompt.variables["DOGWALK_STORE"])
    try #require(sqlite3_open(path, &database) == SQLITE_OK, sourceLocation: location)
    func run(_ sql: String) throws {
      let code = sqlite3_exec(database, sql, nil, nil, nil)
      try #require(code == SQLITE_OK, "\(sql): \(code)", sourceLocation: location)
    }
    try run("BEGIN IMMEDIATE")
    try run(sql)
    let process = try ProgramProcess(words, in: prompt)
    // Until it has read what is there and waits to write; most need 30 ms.
    Thread.sleep(forTimeInterval: 1)
    try run("COMMIT")
    return process.answer()
  }

  private static let rename = """
    UPDATE ZDOG SET ZNAME = 'Shep', ZNAMEKEY = 'shep', Z_OPT = Z_OPT + 1 WHERE ZNAMEKEY = 'fido'
    """

  @Test(arguments: [
    ["add", "Fido", "12m", "1h", "ago"], ["start", "fido"], ["add", "7m"], ["start"],
  ])
  func `is no dog that comes back under its old name`(words: [String]) throws {
    _ = prompt.run("dogs", "use", "Fido")
    let answer = try answer(to: words, meanwhile: Self.rename)
    #expect(answer.code == 75 && answer.output.isEmpty, "\(answer)")
    #expect(answer.errors.contains("Nothing was changed here."))
    #expect(prompt.run("dogs", "--json").output.components(separatedBy: "\"name\"").count == 3)
    #expect(prompt.run("list").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [["edit", "1", "--by", "mummy"], ["add", "Rex", "7m", "by", "mummy"]])
  func `is no walker who comes back under an old name`(words: [String]) throws {
    _ = prompt.run("edit", "1", "--by=")
    let answer = try answer(
      to: words,
      meanwhile: "UPDATE ZWALKER SET ZNAME = 'Anna', ZNAMEKEY = 'anna', Z_OPT = Z_OPT + 1")
    #expect(answer.code == 75 && answer.output.isEmpty, "\(answer)")
    #expect(prompt.run("walkers").output.hasPrefix("Anna"))
    #expect(prompt.run("walkers").output.split(separator: "\n").count == 1)
  }
}
