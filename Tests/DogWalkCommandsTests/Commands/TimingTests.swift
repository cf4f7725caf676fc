import Foundation
import Testing

@testable import DogWalkCommands

@Suite struct `Timing a walk` {
  let prompt: Prompt

  init() throws { prompt = try Prompt() }

  @Test func `counts from start to stop`() {
    #expect(prompt.run("start", "--dog", "Fido", "--dog", "Rex").code == 0)
    prompt.variables["DOGWALK_NOW"] = "2026-11-21T19:25:30Z"
    #expect(prompt.run("stop", "fido").output == "Ended walk 1: Fido, today 20:00, 25 min 30 s.\n")
    #expect(prompt.run("list", "--dog", "Rex").output == "2\t2026-11-21T20:00:00+01:00\t\tRex\t\n")
    prompt.variables["DOGWALK_NOW"] = "2026-11-21T19:30:00Z"
    #expect(prompt.run("stop").output == "Ended walk 2: Rex, today 20:00, 30 min.\n")
    #expect(prompt.run("stop").code == 1)
  }

  @Test func `starts no dog that is out, and then none of the others`() {
    _ = prompt.run("start", "Fido")
    #expect(prompt.run("start", "--dog", "Luna", "fido").code == 1)
    #expect(prompt.run("list").output.split(separator: "\n").count == 1)
    #expect(prompt.run("dogs", "--dog", "Luna").code == 1)
  }

  @Test func `stops no walk if one of the dogs is in`() {
    _ = prompt.run("add", "--dog", "Rex", "5m")
    _ = prompt.run("start", "--dog", "Fido")
    #expect(prompt.run("stop", "Fido", "Rex").code == 1)
    #expect(prompt.run("stop", "Luna").code == 1)
    #expect(prompt.run("dogs").output.contains("Fido   out since 20:00 (just now)"))
  }

  @Test func `counts as out for a check, and has no minutes yet`() {
    _ = prompt.run("start", "Fido", "9h", "ago")
    #expect(prompt.run("dogs", "--check", "--within", "1h").code == 0)
    #expect(prompt.run("list", "--json").output.contains("\"end\": null, \"minutes\": null"))
  }

  @Test(arguments: [0, 9, 30, 200])
  func `counts as out however many walks were added later, and however it is queried`(later: Int)
    throws
  {
    prompt.variables["DOGWALK_NOW"] = "2026-11-20T12:00:00Z"
    _ = prompt.run("start", "--dog", "Fido")
    _ = prompt.run("add", "--dog", "Rex", "5m")
    prompt.variables["DOGWALK_NOW"] = "2026-11-26T12:00:00Z"
    let lines = (0..<later).map { "Fido,2026-11-25T\(10 + $0 / 60):\(10 + $0 % 50),1" }
    let file = prompt.file("walks.csv")
    try Data((["dog,start,minutes"] + lines).joined(separator: "\n").utf8).write(to: file)
    if later > 0 { #expect(prompt.run("import", file.path).code == 0) }
    _ = prompt.run("dogs", "set", "Fido", "--gap", "1h")
    for words in [[], ["--dog", "Fido"], ["--dog", "Fido", "--dog", "Rex"]] {
      #expect(prompt.run(["dogs"] + words).output.contains("Fido   out since"), "\(words)")
      #expect(!prompt.run(["dogs", "--overdue"] + words).output.contains("Fido"), "\(words)")
    }
    #expect(prompt.run("dogs", "--check", "--within", "1h", "--dog", "Fido").code == 0)
    #expect(prompt.run("dogs", "--check", "--within", "1h").output.contains("Fido is out, since"))
  }

  @Test func `accepts details with both commands`() {
    _ = prompt.run("start", "Fido", "--by", "Ana", "--note", "rain")
    _ = prompt.run("stop", "--poo=2", "--distance", "800m", "--note", "sun")
    #expect(prompt.run("list", "--csv").output.hasSuffix(",800,sun,Ana,,2,0,\r\n"))
  }

  @Test(arguments: [
    ["start", "--by", "18:00"], ["stop", "--by", "19:30"], ["stop", "--by=noon"],
  ])
  func `takes no time for a walker`(words: [String]) {
    _ = prompt.run("start", "Rex", "5m", "ago")
    let answer = prompt.run(words)
    #expect(answer.code == 64 && answer.errors.contains("is a time. Leave --by out."))
    #expect(prompt.run("list", "--csv").output.contains(",Rex,2026-11-21T19:55:00+01:00,,,"))
  }

  @Test(arguments: [
    ["start", "Fido", "35m"], ["start", "Fido", "--at", "2027-01-01 8:00"], ["stop", "5m"],
    ["stop", "--at", "2026-11-20 8:00"], ["stop", "18:00", "--at", "18:00"],
    ["start", "Fido", "mon"],
  ])
  func `refuses nonsense`(words: [String]) {
    _ = prompt.run("start", "Rex", "5m", "ago")
    #expect(prompt.run(words).code == 64)
    #expect(prompt.run("stop").code == 0)
  }
}
