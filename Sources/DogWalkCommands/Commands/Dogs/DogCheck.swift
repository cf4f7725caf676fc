import CommandLineKit
import DogWalkModel

/// The answer of `dogwalk dogs --check`: whether dogs were out recently enough.
struct DogCheck {
  private let run: CommandRun
  /// The maximum time since then in seconds; `nil` for each dog's own gap.
  private let limit: Double?

  /// Reads `--within`.
  ///
  /// - Throws: `ValidationError` if it cannot be read.
  init(_ run: CommandRun) throws(ValidationError) {
    self.run = run
    limit = try run.values[.within].map { typed throws(ValidationError) in
      try Duration.refuseBareNumber(typed, of: .within)
      let seconds = Double(try Duration(typed: typed).components.seconds)
      guard seconds > 0 else {
        throw ValidationError("--within \(typed.escapingControls) is not a time", hint: "Write 8h.")
      }
      return seconds
    }
  }

  /// Returns whether all given dogs were out recently enough; prints a line for each, unless
  /// `--quiet`.
  ///
  /// - Throws: `ValidationError` if neither `--within` nor the dog's gap sets a limit.
  func holds(for statuses: [DogStatus]) throws -> Bool {
    let now = try run.clock().now
    var lines: [String] = []
    var holds = !statuses.isEmpty
    for status in statuses {
      let name = status.dog.shownName
      guard let limit = limit ?? status.dog.gap else {
        throw ValidationError(
          "--check needs --within: no gap is set for \(name)",
          hint: "Write --within 8h, or set a gap: \(run.call) dogs set --gap 8h "
            + [status.dog.name].shellOperands)
      }
      let wasOut = DogStatus.wasOut(on: status.lastOut, within: limit, now: now.date)
      holds = holds && wasOut
      let reading = reading(of: status, now: now, besides: wasOut ? nil : limit)
      let verdict = wasOut ? "" : ": longer than \(Duration.seconds(limit).reading)"
      lines.append("\(name) \(reading)\(status.lastOut == nil ? "" : verdict).")
    }
    if !run.values.contains(.json) {
      for line in lines { try run.say(line) }
    }
    return holds
  }

  /// Returns the text about a dog.
  ///
  /// - Parameter limit: The limit that the text says was exceeded, in seconds, if any.
  private func reading(
    of status: DogStatus, now: Moment, besides limit: Double?
  ) -> String {
    guard let walk = status.lastOut, let start = walk.start(in: run.zone) else {
      return "has not been out yet"
    }
    if walk.isOngoing { return "is out, since \(start.reading(now: now))" }
    guard let home = walk.end(in: run.zone) else {
      return "went out \(start.reading(now: now)), \(Self.ago(start, now, besides: limit))"
    }
    return "came home \(home.reading(now: now)), \(Self.ago(home, now, besides: limit))"
  }

  /// Returns how long ago it was, precisely enough to exceed a limit.
  private static func ago(_ moment: Moment, _ now: Moment, besides limit: Double?) -> String {
    let seconds = Double(now.secondsSince1970 - moment.secondsSince1970)
    guard let limit, seconds < limit + 86_400 else { return moment.ago(now: now) }
    let minutes = Duration.wholeMinutes(seconds)
    return "\((minutes > .seconds(limit) ? minutes : .seconds(seconds)).reading) ago"
  }
}

@available(*, unavailable)
extension DogCheck: Sendable {}
