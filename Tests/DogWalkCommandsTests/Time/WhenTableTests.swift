import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// `TZ` belongs to the whole process: only this suite sets it, one test at a time, and no other
/// suite asks for `LocalZone.system`.
@Suite(.serialized, .enabled(if: access("/usr/share/zoneinfo/Asia/Kathmandu", R_OK) == 0))
struct `WHEN in many zones` {
  struct Zone: CustomTestStringConvertible, Sendable {
    let name: String
    var rows: [(now: Int, input: String, meaning: String)] = []
    var testDescription: String { name }
  }

  static let zones: [Zone] = {
    var zones: [Zone] = []
    var now = 0
    let table = URL.projectFolder.appending(path: "Tests/Tables/when-table.txt")
    guard let text = try? String(contentsOf: table, encoding: .utf8) else {
      fatalError("\(table.path) cannot be read.")
    }
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("zone ") {
        zones.append(Zone(name: String(line.dropFirst(5))))
      } else if line.hasPrefix("@") {
        now = Int(line.dropFirst())!
      } else {
        let halves = line.split(separator: "=").map { $0.drop { $0 == " " } }
        let input = halves[0].dropLast()
        zones[zones.count - 1].rows.append((now, String(input), String(halves[1])))
      }
    }
    return zones
  }()

  @Test(arguments: zones)
  func `every input has the meaning of the reference`(zone: Zone) throws {
    try #require(zone.rows.count > 50)
    let before = Environment.process["TZ"]
    setenv("TZ", zone.name, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    for (now, input, meaning) in zone.rows {
      let date = Moment(secondsSince1970: now, utcOffset: 0).date
      let clock = WallClock(now: date, zone: .system)
      #expect(said(input, clock) == meaning, "\(input) at \(now) in \(zone.name)")
    }
  }

  private func said(_ input: String, _ clock: WallClock) -> String {
    do {
      switch try When(input, clock: clock) {
      case .day(let day): return "day \(day)"
      case .instant(let moment): return "\(moment.secondsSince1970) \(moment.utcOffset)"
      }
    } catch {
      return error.message.contains("the clocks went from") ? "skipped" : error.message
    }
  }
}
