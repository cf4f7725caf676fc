import Foundation
import TestSupport
import Testing

@testable import DataFormats

@Suite struct InstantTextTests {
  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (246_810_121.25, "2008-10-27T14:22:01.25Z"),
    (-0.5, "2000-12-31T23:59:59.5Z"), (-86_400, "2000-12-31T00:00:00Z"),
    (1e-9, "2001-01-01T00:00:00.000000001Z"), (-1e-7, "2000-12-31T23:59:59.9999999Z"),
    (0.1, "2001-01-01T00:00:00.1Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
    (252_423_993_599, "9999-12-31T23:59:59Z"), (94_694_400, "2004-01-02T00:00:00Z"),
    (-1.000001, "2000-12-31T23:59:58.999999Z"), (4_294_967_296.5, "2137-02-07T06:28:16.5Z"),
    (805_000_000.123456, "2026-07-06T03:06:40.123456Z"),
    (12.0000001, "2001-01-01T00:00:12.0000001Z"),
  ])
  func `an instant is written in UTC and read back`(seconds: Double, text: String) {
    #expect(InstantText.text(of: seconds) == text)
    #expect(InstantText.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    ("2008-10-27T16:22:01.25+02:00", 246_810_121.25), ("2001-01-01T00:00:00-00:30", 1800),
    ("2001-01-01T00:00:00.500Z", 0.5), ("2000-12-31T23:59:59.000Z", -1),
    ("2000-12-31T23:59:60Z", 0), ("2001-01-01T01:00:00.5+02:00", -3599.5),
  ])
  func `other spellings are read`(text: String, seconds: Double) {
    #expect(InstantText.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    "", "today", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01 00:00:00Z",
    "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z",
    "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00+2:00", "2001-01-01T00:00:00+02:60",
    "2001-01-01T00:00:00Zx", "0000-01-01T00:00:00Z", "2001-01-01T00:00:00.1é",
  ])
  func `a text that is not an instant is nil`(text: String) {
    #expect(InstantText.seconds(of: text) == nil)
  }

  @Test func `a written instant has only as many decimals as the number`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let unit = pow(10, Double(Int.random(in: 0...8, using: &random)))
      let seconds = (Double.random(in: 0...6e9, using: &random) * unit).rounded() / unit
      let decimals = "\(seconds)".split(separator: ".")[1]
      let text = InstantText.text(of: seconds)?.dropFirst(19).dropLast()
      #expect(text == (decimals == "0" ? "" : ".\(decimals)"), "\(seconds), SEED=\(seed)")
    }
  }

  @Test func `an instant outside the calendar's years has no text`() {
    for seconds in [1e15, -1e15, .infinity, -.infinity, .nan, 1e-300] {
      #expect(InstantText.text(of: seconds) == nil)
    }
  }

  @Test func `random instants round-trip to the last bit`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let exponent = Double.random(in: -15...11, using: &random)
      let seconds = Double.random(in: -0.6...0.6, using: &random) * pow(10, exponent)
      guard let text = InstantText.text(of: seconds) else {
        Issue.record("\(seconds) has no text, SEED=\(seed)")
        continue
      }
      #expect(InstantText.seconds(of: text) == seconds, "\(seconds) \(text), SEED=\(seed)")
    }
  }
}
