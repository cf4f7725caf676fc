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

  @Test func `changes the named values, and keeps the others and the number`() {
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
  func `accepts words in any order, as add does`(words: [String]) {
    let answer = prompt.run(["edit", "1"] + words)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(
      prompt.run("list", "--csv", "--dog", "Rex").output.contains(
        ",Rex,2026-11-21T19:00:00+01:00,2026-11-21T19:25:00+01:00,25,2000,rain,Ana,2,1,0,"))
  }

  @Test func `removes a value that is given as empty`() {
    let gone = ["--duration=", "--note=", "--by", "", "--distance=", "--pee=", "--poo="]
    #expect(prompt.run(["edit", "1"] + gone).code == 0)
    #expect(line().contains(",Fido,2026-11-20T18:00:00+01:00,,,,,,,,0,\r\n"))
  }

  @Test func `moves a walk to an existing dog, and creates none`() {
    #expect(prompt.run("edit", "1", "--dog", "Luna").code == 1)
    #expect(
      prompt.run("edit", "1", "--dog", "rex", "--json").output.contains("\"dog\": \"Rex\""))
    #expect(prompt.run("list", "--dog", "Fido").output.isEmpty)
    #expect(prompt.run("list", "--dog", "Rex").output.split(separator: "\n").count == 2)
  }

  @Test func `ends an ongoing walk when its length is given`() {
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
  func `refuses impossible walks, and changes nothing`(words: [String]) {
    let before = line()
    #expect(prompt.run(["edit", "1"] + words).code == 64)
    #expect(line() == before)
  }

  /// The times of a walk that is edited in Berlin: its start, its end and its minutes.
  private func times(
    of walk: String..., at now: String, edited words: [String]
  ) throws -> String {
    let prompt = try Prompt()
    prompt.zone = .berlin
    prompt.variables["DOGWALK_NOW"] = now
    let added = prompt.run(["add", "Fido"] + walk)
    #expect(added.code == 0, "\(added)")
    let answer = prompt.run(["edit", "1"] + words)
    guard answer.code == 0 else { return answer.errors }
    let fields = prompt.run("list", "--csv").output.split(separator: "\r\n")[1].split(
      separator: ",", omittingEmptySubsequences: false)
    return fields[3...5].joined(separator: " ")
  }

  @Test func `reads a time without a day by the clocks of the walk's day`() throws {
    // On 29 March they go from 2 to 3.
    #expect(
      try times(
        of: "10m", "2026-03-29", "0:30", at: "2026-03-31T08:00:00Z",
        edited: ["1:00-4:00"])
        == "2026-03-29T01:00:00+01:00 2026-03-29T03:00:00+01:00 120")
    for words in [["2:30"], ["--at", "2:30"]] {
      #expect(
        try times(
          of: "10m", "2026-03-28", "2:00", at: "2026-03-29T08:00:00Z", edited: words)
          == "2026-03-28T02:30:00+01:00 2026-03-28T02:40:00+01:00 10")
    }
    #expect(
      try times(
        of: "10m", "2026-03-28", "2:00", at: "2026-03-29T08:00:00Z",
        edited: ["2:30-2:50"])
        == "2026-03-28T02:30:00+01:00 2026-03-28T02:50:00+01:00 20")
    #expect(
      try times(
        of: "10m", "2026-03-28", "2:00", at: "2026-03-28T08:00:00Z",
        edited: ["23:30-0:30"]
      )
      .contains("is still to come"))
    #expect(
      try times(
        of: "10m", "2026-03-29", "0:30", at: "2026-03-31T08:00:00Z",
        edited: ["2:30"]
      )
      .contains("there was no 02:30 on 2026-03-29"))
  }

  @Test func `reads a time without a day in the walk's own UTC offset`() throws {
    let walk = "2026-11-20T23:00+09:00"
    #expect(
      try times(
        of: "10m", walk, at: "2026-11-25T08:00:00Z",
        edited: ["22:30"])
        == "2026-11-20T22:30:00+09:00 2026-11-20T22:40:00+09:00 10")
    #expect(
      try times(
        of: "10m", walk, at: "2026-11-25T08:00:00Z",
        edited: ["22:30-23:30"])
        == "2026-11-20T22:30:00+09:00 2026-11-20T23:30:00+09:00 60")
    #expect(
      try times(
        of: "10m", walk, at: "2026-11-25T08:00:00Z",
        edited: ["2026-11-20", "22:30"])
        == "2026-11-20T22:30:00+01:00 2026-11-20T22:40:00+01:00 10")
  }

  @Test(arguments: [
    ["7:30Z"], ["7:30:15"], ["25:99"], ["18:00-18:00"], ["--at", "7:30Z"], ["18:00", "19:00"],
    ["18:00-18:40", "50m"], ["18:00-18:40", "--duration", "50m"], ["18:00", "--at", "18:00"],
  ])
  func `refuses times that are impossible on any day`(words: [String]) {
    let before = line()
    #expect(prompt.run(["edit", "1"] + words).code == 64)
    #expect(line() == before)
  }

  @Test(arguments: [["edit", "1", "--note", "sun", "45m"], ["tag", "1", "+park"]])
  func `is no command to undo where nothing changes`(words: [String]) {
    #expect(prompt.run(words).output.hasPrefix("Changed walk 1: Fido,"))
    let count = prompt.run("history").output.split(separator: "\n").count
    let again = prompt.run(words)
    #expect(again.code == 0 && again.output.hasPrefix("Walk 1 is already like that: Fido,"))
    #expect(prompt.run("history").output.split(separator: "\n").count == count)
  }

  @Test func `distinguishes changed walks from those that were already so`() {
    _ = prompt.run("edit", "1", "--note", "sun")
    let lines = prompt.run("edit", "1-2", "--note", "sun").output.split(separator: "\n")
    #expect(lines[0].hasPrefix("Walk 1 is already like that: Fido,"))
    #expect(lines[1].hasPrefix("Changed walk 2: Rex,"))
  }

  @Test func `reads 12 noon as a time, not as the number of a walk`() {
    #expect(prompt.run("edit", "1", "12", "noon").output.contains("Fido, Fri 20 Nov 12:00"))
    #expect(prompt.run("edit", "1-2", "12", "midnight", "15m").code == 0)
    #expect(line().contains(",Fido,2026-11-20T00:00:00+01:00,2026-11-20T00:15:00+01:00,15,"))
  }

  @Test(arguments: [["1h", "15"], ["an", "hour", "15"], ["1", "hour", "and", "15"]])
  func `refuses a number without a unit after hours, which may be a walk's`(words: [String]) {
    let before = line()
    let answer = prompt.run(["edit", "1"] + words)
    #expect(answer.code == 64)
    #expect(
      answer.errors.hasSuffix(
        "could be a length, or a length and the number of a walk. Write 1h15m for the length, "
          + "or 15 before it for walk 15.\n"))
    #expect(line() == before)
  }

  @Test(arguments: ["18:00", "6pm", "17:00-17:30", "2026-11-19", "+park"])
  func `makes no walker of a time or a tag`(name: String) {
    let before = line()
    #expect(prompt.run("edit", "1", "--by", name).code == 64)
    #expect(line() == before)
    #expect(prompt.run("edit", "1", "--by", name, "--new").code == 0)
  }

  @Test func `leaves a walk ongoing if its length is removed`() {
    _ = prompt.run("start", "Fido", "30m", "ago")
    #expect(prompt.run("edit", "3", "--duration=").output.contains("going on"))
    #expect(prompt.run("stop").code == 0)
  }

  @Test func `notes a walk that is equal to another`() {
    _ = prompt.run("add", "Fido", "35m", "fri", "8:00")
    let answer = prompt.run("edit", "3", "--at", "2026-11-20 18:00")
    #expect(
      answer.errors
        == "Note: walk 1 of Fido is the same. If that is one too many: dogwalk delete 3\n")
  }
}
