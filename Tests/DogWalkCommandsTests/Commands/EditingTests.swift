import Testing

@testable import DogWalkCommands

@Suite struct `Editing a walk` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run(
      "add", "Fido", "35m", "fri", "18:00", "--note", "rain", "--by", "Ana", "--distance", "2km",
      "--pee=2", "--poo")
    _ = prompt.run("add", "--dog", "Rex", "5m")
  }

  func line() -> String { prompt.run("list", "--csv", "--dog", "Fido").output }

  @Test func `changes what is named, and keeps the rest and the number`() {
    let edits = [
      ["--duration", "40m"], ["--at", "2026-11-19 7:30"], ["--note", "sun"], ["--by", "Bo"],
      ["--distance", "3km"], ["--pee=3"], ["--poo=2"],
    ]
    for words in edits { #expect(prompt.run(["edit", "1"] + words).code == 0) }
    #expect(
      line().contains(
        ",Fido,2026-11-19T07:30:00+01:00,2026-11-19T08:10:00+01:00,40,3000,sun,Bo,3,2,0,"))
  }

  @Test(arguments: [
    ["today", "19:00", "rex", "25m"], ["25", "m", "Rex", "today", "7pm"],
    ["25", "minutes", "Rex", "today", "7", "pm"], ["Rex", "--at", "today 19:00", "25min"],
  ])
  func `takes words, as add does, in any order`(words: [String]) {
    let answer = prompt.run(["edit", "1"] + words)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(
      prompt.run("list", "--csv", "--dog", "Rex").output.contains(
        ",Rex,2026-11-21T19:00:00+01:00,2026-11-21T19:25:00+01:00,25,2000,rain,Ana,2,1,0,"))
  }

  @Test func `takes a value away where it is empty`() {
    let gone = ["--duration=", "--note=", "--by", "", "--distance=", "--pee=", "--poo="]
    #expect(prompt.run(["edit", "1"] + gone).code == 0)
    #expect(line().contains(",Fido,2026-11-20T18:00:00+01:00,,,,,,,,0,\r\n"))
  }

  @Test func `moves a walk to a dog there is, and makes none`() {
    #expect(prompt.run("edit", "1", "--dog", "Luna").code == 1)
    #expect(
      prompt.run("edit", "1", "--dog", "rex", "--json").output.contains("\"dog\": \"Rex\""))
    #expect(prompt.run("list", "--dog", "Fido").output.isEmpty)
    #expect(prompt.run("list", "--dog", "Rex").output.split(separator: "\n").count == 2)
  }

  @Test func `ends a walk that is going on where it says how long it was`() {
    _ = prompt.run("start", "Fido", "30m", "ago")
    #expect(prompt.run("edit", "3", "--note", "x").output.contains("going on"))
    #expect(prompt.run("edit", "3", "--duration", "20m").code == 0)
    #expect(prompt.run("stop").code == 1)
  }

  @Test(arguments: [
    [], ["--at", "mon"], ["--at", ""], ["--dog", ""], ["--at", "today 18:00", "--duration", "7h"],
    ["--duration", "0m"], ["--pee=many"], ["--by", " "], ["--note", "a\u{7}"], ["2"],
    ["extra"], ["Fidoo"], ["Fido", "Rex"], ["20m", "--duration", "25m"],
    ["18:00", "--at", "17:00"], ["--at", "2027-01-01 8:00"], ["--distance", "5"],
  ])
  func `refuses what makes no walk, and changes nothing`(words: [String]) {
    let before = line()
    #expect(prompt.run(["edit", "1"] + words).code == 64)
    #expect(line() == before)
  }

  @Test func `notes a walk that is the same as another`() {
    _ = prompt.run("add", "Fido", "35m", "fri", "8:00")
    let answer = prompt.run("edit", "3", "--at", "2026-11-20 18:00")
    #expect(
      answer.errors
        == "Note: walk 1 of Fido is the same. If that is one too many: dogwalk delete 3\n")
  }
}
