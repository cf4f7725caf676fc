import CommandLineKit
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `The dogs' status` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    for words in [
      ["add", "Fido", "35m", "7:30", "--by", "Ana"], ["add", "Fido", "50m", "yesterday", "8:00"],
      ["add", "--dog", "Bartholomew the Third", "1h", "fri", "18:10", "--by", "Charlotte"],
      ["add", "--dog", "ポチとハチとシロ", "5m"],
      ["dogs", "set", "Fido", "--target", "60m", "--gap", "8h"],
      ["dogs", "use", "Fido"],
    ] { #expect(prompt.run(words).code == 0) }
  }

  @Test(arguments: [80, 60, 50, 40, 30])
  func `fits the terminal, and breaks no word`(columns: Int) {
    // Where facts are on lines of their own, there are no commas.
    func words(_ text: some StringProtocol) -> Set<Substring> {
      Set(Substring(text).split { $0.isWhitespace || $0 == "," })
    }
    let whole = words(prompt.run("dogs").output)
    prompt.terminal = Terminal(isTerminal: true, columns: columns)
    let shown = prompt.run("dogs").output
    for line in shown.split(separator: "\n") {
      #expect(String(line).displayWidth <= columns, "\(line)")
      let broken = words(line).filter { !whole.contains($0) && !$0.hasSuffix("…") }
      #expect(broken == [], "in \(columns) columns")
    }
  }

  @Test func `has colour only where the words say the same`() {
    prompt.terminal = Terminal(isTerminal: true, columns: 140, usesColor: true)
    #expect(prompt.run("dogs").output.contains("\u{1B}[31moverdue\u{1B}[0m, 2 days in a row"))
    _ = prompt.run("add", "Fido", "30m")
    #expect(prompt.run("dogs").output.contains("\u{1B}[32m65 of 60 min\u{1B}[0m"))
    prompt.terminal = Terminal(isTerminal: false)
    #expect(!prompt.run("dogs").output.contains("\u{1B}"))
  }

  @Test(arguments: [80, 40, 32])
  func `in a check-up fits the terminal, except for the store's path`(columns: Int) {
    func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    let whole = prompt.run("doctor").output
    prompt.terminal = Terminal(isTerminal: true, columns: columns)
    let shown = prompt.run("doctor").output
    #expect(words(shown) == words(whole))
    for line in shown.split(separator: "\n") where !line.hasPrefix("Store") {
      #expect(String(line).displayWidth <= columns, "\(line)")
    }
  }

  @Test func `wraps sentences between words on a narrow terminal`() {
    prompt.terminal = Terminal(isTerminal: true, columns: 40)
    let lines = prompt.run("add", "--dog", "Bartholomew the Third", "1h", "--distance", "2.4km")
      .output.split(separator: "\n")
    #expect(lines == ["Added walk 5: Bartholomew the Third,", "today 19:00, 1 h, 2.4 km."])
  }

  @Test(arguments: [("8h", 1), ("13h", 0), ("11h54m", 1), ("11h55m", 0)])
  func `answers a check by the end of the last walk`(within: String, code: Int32) {
    let answer = prompt.run("dogs", "--check", "--dog", "fido", "--within", within)
    #expect(answer.code == code)
    // Longer times are given to the minute.
    let ago = code == 0 ? "11 h ago." : "11 h 55 min ago: longer than "
    #expect(answer.output.hasPrefix("Fido came home today 08:05, \(ago)"))
    let quiet = prompt.run("dogs", "--check", "-q", "--dog", "fido", "--within", within)
    #expect(quiet == Prompt.Answer(code: code))
  }

  @Test(arguments: [
    ("2026-03-29", "0:30-4:00", "2026-03-29T02:30:00Z", "04:00"),
    ("2026-10-25", "1:00-4:00", "2026-10-25T03:30:00Z", "04:00"),
    ("2026-11-20T23:00+09:00", "1h", "2026-11-21T08:00:00Z", "00:00"),
  ])
  func `gives an end by the walk's own clock`(
    day: String, times: String, now: String, end: String
  ) throws {
    let prompt = try Prompt()
    prompt.zone = .berlin
    prompt.variables["DOGWALK_NOW"] = now
    let added = prompt.run("add", "Fido", day, times)
    #expect(added.code == 0, "\(added)")
    let ended = prompt.run("show", "1").output.split(separator: "\n").first {
      $0.contains("Ended")
    }
    #expect(ended?.hasSuffix(" \(end)") ?? false, "\(ended ?? "")")
    let check = prompt.run("dogs", "--check", "--within", "24h").output
    #expect(check.contains(" \(end),"), "\(check)")
  }

  @Test func `answers no for a dog that was never out, and for no dogs at all`() throws {
    _ = prompt.run("dogs", "add", "Luna")
    #expect(prompt.run("dogs", "--check", "-d", "Luna", "--within", "8h").code == 1)
    #expect(try Prompt().run("dogs", "--check", "--within", "8h").code == 1)
  }

  @Test(arguments: [
    ["--within", "8h"], ["--check"], ["--check", "--within", "0m"],
    ["--check", "--within", "soon"],
  ])
  func `refuses a check without a condition`(words: [String]) {
    #expect(prompt.run(["dogs"] + words).code == 64)
  }
}
