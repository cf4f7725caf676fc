import CSQLite
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Commands that have read a name and wait for another command's commit, which changes just that.
@Suite(.serialized) struct `A change while a command waits` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "--dog", "Fido", "--dog", "Rex", "5m", "--by", "Mummy")
  }

  /// The answer of a command while another program commits something.
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
    // Until it has read the current state and waits to write; most need 30 ms.
    Thread.sleep(forTimeInterval: 2)
    try run("COMMIT")
    return process.answer()
  }

  private static let rename = """
    UPDATE ZDOG SET ZNAME = 'Shep', ZNAMEKEY = 'shep', Z_OPT = Z_OPT + 1 WHERE ZNAMEKEY = 'fido'
    """

  @Test(arguments: [
    ["add", "Fido", "12m", "1h", "ago"], ["start", "fido"], ["add", "7m"], ["start"],
  ])
  func `does not let a renamed dog be created again under its old name`(words: [String]) throws {
    _ = prompt.run("dogs", "use", "Fido")
    let answer = try answer(to: words, meanwhile: Self.rename)
    #expect(answer.code == 75 && answer.output.isEmpty, "\(answer)")
    #expect(answer.errors.contains("Nothing was changed here."))
    #expect(prompt.run("dogs", "--json").output.components(separatedBy: "\"name\"").count == 3)
    #expect(prompt.run("list").output.split(separator: "\n").count == 2)
  }

  @Test func `prevents choosing a dog that is gone`() throws {
    let answer = try answer(to: ["dogs", "use", "Fido"], meanwhile: Self.rename)
    #expect(answer.code == 1 && answer.errors.contains("no dog \"Fido\""), "\(answer)")
  }

  @Test func `prevents setting a dog that is gone`() throws {
    let answer = try answer(to: ["dogs", "set", "Fido", "--gap", "8h"], meanwhile: Self.rename)
    #expect(answer.code == 1 && answer.errors.contains("no dog \"Fido\""), "\(answer)")
  }

  @Test func `prevents stop from ending a walk that has ended`() throws {
    _ = prompt.run("start", "Fido", "30m", "ago")
    let answer = try answer(
      to: ["stop"],
      meanwhile:
        "UPDATE ZWALK SET ZISONGOING = 0, ZDURATION = 60, Z_OPT = Z_OPT + 1 WHERE ZISONGOING")
    #expect(answer.code == 1 && answer.errors.contains("no dog is out"), "\(answer)")
  }

  @Test(
    arguments: [(["history", "--forget"], 75), (["history", "--forget", "-y"], 0)]
      as [([String], Int32)])
  func `adds a command that is forgotten only with --yes`(words: [String], code: Int32) throws {
    _ = prompt.run("history", "--forget", "--yes")
    let answer = try answer(
      to: words,
      meanwhile: """
        INSERT INTO MO_UNDO (SERIAL, UNDONE, AT, NAME, CHANGES) VALUES (1, 0, 0, 'add', x'00')
        """)
    #expect(answer.code == code, "\(answer)")
    #expect(code != 0 || answer.output.hasPrefix("Forgot 1 command."), "\(answer)")
    #expect(prompt.run("history").output.isEmpty == (code == 0))
  }

  @Test(arguments: [["edit", "1", "--by", "mummy"], ["add", "Rex", "7m", "by", "mummy"]])
  func `does not let a renamed walker be created again under an old name`(words: [String]) throws {
    _ = prompt.run("edit", "1", "--by=")
    let answer = try answer(
      to: words,
      meanwhile: "UPDATE ZWALKER SET ZNAME = 'Anna', ZNAMEKEY = 'anna', Z_OPT = Z_OPT + 1")
    #expect(answer.code == 75 && answer.output.isEmpty, "\(answer)")
    #expect(prompt.run("walkers").output.hasPrefix("Anna"))
    #expect(prompt.run("walkers").output.split(separator: "\n").count == 1)
  }
}
