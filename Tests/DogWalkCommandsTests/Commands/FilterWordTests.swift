import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A word in a filter of walks` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    #expect(prompt.run("add", "Fido", "5m").code == 0)
  }

  @Test(arguments: [
    ["list", "Luna"], ["list", "--limit", "3", "Luna"], ["list", "--since", "mon", "Luna"],
    ["list", "--until=yesterday", "Luna"], ["list", "--since", "mon", "Luna", "--json"],
    ["list", "--week-start", "sun", "Luna"], ["list", "--color", "never", "Luna"],
    ["list", "--note", "heavy rain", "Luna"], ["export", "--format", "csv", "Luna"],
    ["export", "--format", "csv", "Luna", "-o", "x.csv"], ["export", "-o", "x.csv", "Luna"],
    ["report", "--html=x.html", "Luna"],
  ])
  func `is read as a missing dog after a value that it cannot continue`(words: [String]) {
    let answer = prompt.run(words)
    #expect(answer.code == 1 && answer.output.isEmpty, "\(answer)")
    #expect(answer.errors.hasPrefix("dogwalk: there is no dog \"Luna\"."), "\(answer)")
  }

  @Test(arguments: [
    (["list", "--note", "heavy", "rain", "and", "--json"], "--note \"heavy rain and\"."),
    (["list", "-n", "heavy", "rain", "-q", "cats"], "--note \"heavy rain\"."),
    (["list", "--since", "mon", "18:00", "Luna"], "--since \"mon 18:00\"."),
    (["list", "--note", "heavy", "rain", "Fido", "yesterday"], "--note \"heavy rain\"."),
    (["export", "-o", "my", "walks.csv", "--format", "csv"], "--output \"my walks.csv\"."),
  ])
  func `is joined to a value that it may continue, and later words are not`(
    words: [String], hint: String
  ) {
    let answer = prompt.run(words)
    #expect(answer.code == 64, "\(answer)")
    #expect(answer.errors.hasSuffix("write \(hint)\n"), "\(answer)")
  }
}
