import Testing

@testable import DogWalkCommands

@Suite struct `The usual walker` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m", "8:00", "--by", "Anna Lena")
  }

  @Test(arguments: [["add", "20m"], ["start"]])
  func `of the environment is nobody new by a typing error`(words: [String]) {
    prompt.variables["DOGWALK_BY"] = "Anna Lenna"
    let answer = prompt.run(words)
    #expect(answer.code == 64)
    #expect(
      answer.errors
        == "dogwalk: $DOGWALK_BY: nobody called \"Anna Lenna\" has walked yet. "
        + "Did you mean Anna Lena? A new walker of that name needs --new.\n")
    #expect(prompt.run("list").output.split(separator: "\n").count == 1)
    #expect(prompt.run(words + ["--new"]).output.contains("(New walker: Anna Lenna.)"))
    #expect(prompt.run("add", "10m").code == 0)
  }

  @Test func `of the settings is nobody new by a typing error`() {
    #expect(prompt.run("config", "by", "Anna Lenna").code == 0)
    let answer = prompt.run("add", "20m")
    #expect(answer.code == 64)
    #expect(answer.errors.hasPrefix("dogwalk: config by: nobody called \"Anna Lenna\""))
    #expect(prompt.run("add", "20m", "--by", "Ben").code == 0)
  }

  @Test func `is no time`() {
    prompt.variables["DOGWALK_BY"] = "18:00"
    #expect(
      prompt.run("add", "20m").errors
        == "dogwalk: $DOGWALK_BY: \"18:00\" is a time. Write who walks. "
        + "A new walker of that name needs --new.\n")
  }

  @Test(arguments: ["Carla", "anna lena", "Ben"])
  func `may be new, or written in another way`(name: String) {
    prompt.variables["DOGWALK_BY"] = name
    #expect(prompt.run("add", "20m").code == 0)
  }
}
