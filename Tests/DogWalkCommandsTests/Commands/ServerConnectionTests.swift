import Foundation
import TestSupport
import Testing

/// The connection to a server: how often a command waits for it, and its report when it is cut.
@Suite(
  .enabled(
    if: TestServer.url != nil && Python.isInstalled, "needs Scripts/with-postgres and python3"))
struct `A connection to a server` {
  /// A prompt whose store is on the server, with walk 1.
  private func prompt() throws -> Prompt {
    let prompt = try Prompt()
    prompt.variables["DOGWALK_STORE"] = TestServer.store(for: prompt.home.path)
    #expect(prompt.run("add", "--dog", "Fido", "35m").code == 0)
    return prompt
  }

  /// The answer of a command through a proxy that counts round trips, or cuts the connection.
  private func answer(
    _ words: [String], cut: [String] = [], in prompt: Prompt
  ) throws -> (answer: Prompt.Answer, trips: Int) {
    let proxy = URL.projectFolder.appending(path: "Scripts/postgres-proxy").path
    let url = try #require(prompt.variables["DOGWALK_STORE"])
    let answer = try ProgramProcess(
      "/usr/bin/env", ["python3", proxy] + cut + [url, "dogwalk"] + words, in: prompt
    )
    .answer()
    let trips = answer.errors.split(separator: "\n").last?.split(separator: " ").last
    return (answer, try #require(trips.flatMap { Int($0) }, "\(answer)"))
  }

  @Test(arguments: [
    (["add", "Fido", "20m", "yesterday", "08:00"], 5), (["list"], 2),
    (["edit", "1", "--note", "rain"], 4), (["tag", "1", "+park"], 9), (["delete", "1"], 4),
    (["edit", "1", "30m"], 4), (["edit", "1", "yesterday", "18:00"], 4),
  ])
  func `is waited for only a few times by a command`(words: [String], most: Int) throws {
    let (answer, trips) = try answer(words, in: prompt())
    #expect(answer.code == 0, "\(answer)")
    #expect(trips <= most, "\(words)")
  }

  @Test func `is waited for by a sync as often with many walks as with few`() throws {
    let prompt = try prompt()
    let file = prompt.file("other.sqlite").path
    for day in 1...60 {
      let date = "2026-0\(1 + day / 28)-\(10 + day % 18)T08:\(10 + day % 50)"
      let words = ["Fido", "20m", "--at", date, "--tag", "t\(day % 5)", "--by", "Ana"]
      #expect(prompt.run(["--store", file, "add", "--new"] + words).code == 0)
    }
    for (what, most) in [("everything", 70), ("nothing", 30), ("changes", 40)] {
      if what == "changes" {
        for number in 1...50 {
          #expect(prompt.run(["--store", file, "edit", "\(number)", "30m"]).code == 0)
        }
        let words = ["--store", file, "delete"] + (51...60).map { "\($0)" }
        #expect(prompt.run(words).code == 0)
      }
      let (answer, trips) = try answer(["sync", file], in: prompt)
      #expect(answer.code == 0, "\(answer)")
      #expect(trips <= most, "\(what)")
    }
    #expect(prompt.run("list").output.split(separator: "\n").count == 51)
  }

  @Test(arguments: [
    // What never reached the server is not there, and what it has done is.
    (["--cut", "before"], Int32(75), "broke before the change was saved", 1),
    (["--cut", "after"], 0, "", 2),
    // Without another connection it cannot be known.
    (["--cut", "before", "--gone"], 74, "it may have been saved or not", 1),
    (["--cut", "after", "--gone"], 74, "it may have been saved or not", 2),
  ])
  func `that is cut at the commit is reported accurately`(
    cut: [String], code: Int32, text: String, walks: Int
  ) throws {
    let prompt = try prompt()
    let (answer, _) = try answer(
      ["add", "Fido", "20m", "yesterday", "08:00"], cut: cut, in: prompt)
    #expect(answer.code == code, "\(answer)")
    #expect(text.isEmpty || answer.errors.contains(text), "\(answer)")
    #expect(prompt.run("list").output.split(separator: "\n").count == walks)
    #expect(answer.output.isEmpty == (code != 0))
  }
}
