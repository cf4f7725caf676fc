import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `Deleting many walks` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    for minutes in 1...11 { _ = prompt.run("add", "Fido", "\(minutes)m") }
  }

  func deleteAll() -> Prompt.Answer {
    prompt.run("delete", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11")
  }

  @Test(arguments: ["y", "yes", " Y\n"])
  func `is done if the person answers yes`(answer: String) {
    prompt.answers = [answer]
    #expect(
      deleteAll()
        == Prompt.Answer(
          output: "Deleted 11 walks, from Sat 21 Nov 19:49 to Sat 21 Nov 19:59."
            + "  Undo: dogwalk undo\n",
          errors: "Delete 11 walks, from Sat 21 Nov 19:49 to Sat 21 Nov 19:59? [y/N] "))
    #expect(prompt.run("list").output.isEmpty)
  }

  @Test(arguments: [["n"], ["what?"], [""], []])
  func `is not done if the person answers anything else`(answers: [String]) {
    prompt.answers = answers
    let answer = deleteAll()
    #expect(answer.code == 1)
    #expect(answer.errors.hasSuffix("[y/N] Nothing was deleted.\n"))
    #expect(prompt.run("list").output.split(separator: "\n").count == 11)
  }

  @Test func `asks in lines that fit a narrow terminal`() {
    prompt.answers = ["n"]
    prompt.errorColumns = 40
    #expect(
      deleteAll().errors
        == "Delete 11 walks, from Sat 21 Nov 19:49\nto Sat 21 Nov 19:59? [y/N] "
        + "Nothing was deleted.\n")
  }

  @Test func `needs a flag where no person can answer`() {
    #expect(deleteAll().code == 64)
    #expect(prompt.run("list").output.split(separator: "\n").count == 11)
  }

  @Test func `asks nothing for ten walks`() {
    prompt.answers = ["n"]
    #expect(
      prompt.run("delete", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10").code == 0)
  }
}
