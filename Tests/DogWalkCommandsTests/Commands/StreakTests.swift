import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A streak` {
  let prompt: Prompt

  init() throws { prompt = try Prompt() }

  /// Fido's streak as `dogs` reports it to a program; the prompt's day is 21 November.
  func streak(_ options: String...) throws -> Int {
    let answer = prompt.run(["dogs", "--json"] + options)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    let dogs = try #require(document["dogs"] as? [[String: Any]])
    return try #require(dogs.first?["streak_days"] as? Int)
  }

  func add(_ when: String) {
    #expect(prompt.run("add", "Fido", "5m", "--at", when).code == 0)
  }

  @Test func `counts days, not walks, and today once the dog was out`() throws {
    for when in ["2026-11-19 8:00", "2026-11-19 18:00", "2026-11-20 8:00"] { add(when) }
    #expect(try streak() == 2)
    add("2026-11-21 8:00")
    #expect(try streak() == 3)
  }

  @Test func `ends at the first missing day`() throws {
    for when in ["2026-11-17 8:00", "2026-11-19 8:00", "2026-11-20 8:00"] { add(when) }
    #expect(try streak() == 2)
  }

  @Test func `is zero where neither today nor yesterday has a walk`() throws {
    add("2026-11-19 8:00")
    #expect(try streak() == 0)
  }

  @Test func `is counted by each walk's own UTC offset`() throws {
    // In Tokyo it was the 20th already, and in Lima still the 19th.
    add("2026-11-20T00:30+09:00")
    add("2026-11-19T23:30-05:00")
    #expect(try streak() == 2)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `agrees with a simple count, however many walks a day has`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let log = try WalkLog(at: prompt.file("walks.sqlite"), for: .writing)
    let today = CivilDate(year: 2026, month: 11, day: 21)!
    let missing = Int.random(in: 1...90, using: &generator)
    let now = try Moment(iso8601: "2026-11-21T19:00:00Z", zone: .fixed(0)).date
    var days: Set<Int> = []
    for age in 0..<100 where age != missing {
      let most = age % 7 == 0 ? 40 : 3
      for _ in 0..<Int.random(in: age == 0 ? 0...1 : 1...most, using: &generator) {
        let offset = 3600 * Int.random(in: -11...13, using: &generator)
        let second = Int.random(in: 0..<86_400, using: &generator)
        let start = Moment(
          day: today.adding(days: -age), time: ClockTime(secondsSinceMidnight: second),
          utcOffset: offset)
        _ = try log.add(WalkDraft(start: start.date, utcOffset: offset), to: ["Fido"])
        // A future one is ignored.
        if start.date <= now { days.insert(age) }
      }
    }
    var expected = days.contains(0) ? 1 : 0
    var age = 1
    while days.contains(age) { (age, expected) = (age + 1, expected + 1) }
    #expect(try streak("--exact-streaks") == expected, "seed \(seed)")
    #expect(try streak() == min(expected, 10), "seed \(seed)")
    if expected > 1 {
      let shown = expected > 10 ? "10+" : "\(expected)"
      #expect(prompt.run("dogs").output.hasSuffix("\(shown) days in a row\n"), "seed \(seed)")
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `is the same beside other dogs, and for the dog alone`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let log = try WalkLog(at: prompt.file("walks.sqlite"), for: .writing)
    let today = CivilDate(year: 2026, month: 11, day: 21)!
    for name in ["Fido", "Luna", "Odin", "Rex"] {
      // Some have not been out for long, some are out all day.
      let newest = Int.random(in: 0...60, using: &generator)
      let most = [1, 1, 9].randomElement(using: &generator)!
      for age in newest..<newest + Int.random(in: 1...50, using: &generator) {
        for _ in 0..<Int.random(in: 1...most, using: &generator) {
          let second = Int.random(in: 0..<(age == 0 ? 60_000 : 86_400), using: &generator)
          let start = Moment(
            day: today.adding(days: -age), time: ClockTime(secondsSinceMidnight: second),
            utcOffset: 3600)
          var draft = WalkDraft(start: start.date, utcOffset: 3600)
          draft.duration = 60
          _ = try log.add(draft, to: [name])
        }
      }
    }
    let whole = prompt.run("dogs", "--json", "--exact-streaks").output.split(separator: "\n")
    for name in ["Fido", "Luna", "Odin", "Rex"] {
      let alone = prompt.run("dogs", "--json", "--exact-streaks", "--dog", name).output.split(
        separator: "\n")
      let line = String(alone[1])
      #expect(whole.contains { $0.hasPrefix(line) }, "seed \(seed): \(line)")
    }
  }

  @Test func `is one number, however long it is and however it is requested`() throws {
    let log = try WalkLog(at: prompt.file("walks.sqlite"), for: .writing)
    let today = CivilDate(year: 2026, month: 11, day: 21)!
    let names = (0..<12).map { "Dog \($0)" }
    for age in 0..<150 {
      let start = Moment(
        day: today.adding(days: -age), time: ClockTime(hour: 8, minute: 0)!, utcOffset: 0)
      _ = try log.add(WalkDraft(start: start.date, utcOffset: 0), to: names)
    }
    for words in [["dogs"], ["dogs", "--dog", "Dog 3"], ["report"], ["report", "--dog", "Dog 3"]] {
      let lines = prompt.run(words).output.split(separator: "\n").filter { $0.contains("Dog") }
      #expect(lines.count == (words.contains("--dog") ? 1 : 12))
      #expect(lines.allSatisfy { $0.hasSuffix(" 10+ days in a row") }, "\(words): \(lines)")
    }
    let words = ["dogs", "--json", "--dog", "Dog 3"]
    let usual = prompt.run(words).output
    #expect(usual.contains(#""streak_days": 10, "streak_is_longer": true"#))
    let exact = prompt.run(words + ["--exact-streaks"]).output
    #expect(exact.contains(#""streak_days": 150, "streak_is_longer": false"#))
  }
}
