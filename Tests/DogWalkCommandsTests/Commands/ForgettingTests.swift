import Testing

@testable import DogWalkCommands

@Suite struct `Forgetting commands` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
  }

  @Test(arguments: [["add", "Fido", "6m"], ["undo"]])
  func `forgets no command that the person was not asked about`(words: [String]) {
    prompt.answers = ["y", "y"]
    let prompt = prompt
    prompt.whileAsked = {
      prompt.whileAsked = {}
      #expect(prompt.run(words).code == 0)
    }
    let answer = prompt.run("history", "--forget")
    #expect(answer.errors.hasPrefix("Forget 1 command? None of them can be undone then. [y/N] "))
    #expect(answer.code == 75 && answer.output.isEmpty, "\(answer)")
    let count = words == ["undo"] ? 1 : 2
    #expect(prompt.run("history").output.split(separator: "\n").count == count)
    #expect(prompt.run("history", "--forget").output.hasPrefix("Forgot \(count) command"))
    #expect(prompt.run("history").output.isEmpty)
  }

  @Test func `asks nothing where there are no commands`() {
    #expect(prompt.run("history", "--forget", "--yes").output.hasPrefix("Forgot 1 command."))
    #expect(prompt.run("history", "--forget").output.hasPrefix("There was no command to forget."))
  }
}
