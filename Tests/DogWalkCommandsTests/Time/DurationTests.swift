import CommandLineKit
import Testing

@testable import DogWalkCommands

@Suite struct `A typed duration` {
  @Test(arguments: [
    ("35m", 2100), ("35min", 2100), ("1h", 3600), ("1h15", 4500), ("1h15m", 4500), ("1h 15m", 4500),
    ("75", 4500), ("90s", 90), ("1:15", 4500), ("1H 15MIN", 4500), ("1 h 15 min", 4500),
    ("35 minutes", 2100), ("500", 30_000), ("0", 0), ("1h5", 3900), ("2 hours", 7200),
    ("1.5h", 5400), ("0,75h", 2700), ("half an hour", 1800), ("1 hour and 15 minutes", 4500),
  ])
  func `is read`(text: String, seconds: Int) throws {
    #expect(try Duration(typed: text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "h", "m", "35x", "1.255h", "-5m", "1h75", "1h 75m", "15m 1h", "1h1h", "35m 5", "3 days",
    "1d",
    "1:75", "7pm", "999999999999999999999h", "1000000", "35 m ago",
  ])
  func `anything else is refused`(text: String) {
    #expect(throws: ValidationError.self) { try Duration(typed: text) }
  }

  @Test(arguments: [0, 45, 60, 90, 2100, 3600, 4500, 86_400, 100_000])
  func `is read back from how it is printed`(seconds: Int) throws {
    let duration = Duration.seconds(seconds)
    #expect(try Duration(typed: duration.reading) == duration)
  }
}

@Suite struct `A typed distance` {
  @Test(arguments: [
    ("2.4km", 2400.0), ("800m", 800), ("1.5mi", 2414.016), ("2.3km", 2300), ("2.4 KM", 2400),
    ("2,4km", 2400), ("3 miles", 4828.032), ("800 metres", 800),
  ])
  func `is read`(text: String, metres: Double) throws {
    #expect(try Distance(typed: text).metres == metres)
  }

  @Test(arguments: [
    "", "km", "800", "1,500m", "1.2.3km", "-1km", "1e3m", "infkm", "nan m", "3 furlongs",
  ])
  func `anything else is refused`(text: String) {
    #expect(throws: ValidationError.self) { try Distance(typed: text) }
  }
}
