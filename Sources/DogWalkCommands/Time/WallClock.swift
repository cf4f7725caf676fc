import CommandLineKit
import SystemLibraries

/// What time it is, and in which zone: passed to everything that asks, so that tests can say.
///
///     let clock = try WallClock(environment: .process)
///     clock.now.day   // today
struct WallClock: Sendable {
  /// Now, to the second, told by the local clocks.
  let now: Moment
  /// The local zone.
  let zone: LocalZone

  /// Any instant in any zone; parts of a second are left off.
  init(now: Date, zone: LocalZone) {
    self.zone = zone
    self.now = zone.moment(
      at: Date(timeIntervalSince1970: Double(now.wholeSecondsSince1970)))
  }

  /// The system's clock, or what `DOGWALK_NOW` says in ISO 8601.
  ///
  /// - Throws: `ValidationError` where `DOGWALK_NOW` cannot be read.
  init(environment: Environment, zone: LocalZone = .system) throws(ValidationError) {
    guard let text = environment.nonEmpty("DOGWALK_NOW") else {
      self.init(now: Date(), zone: zone)
      return
    }
    do {
      self.init(now: try Moment(iso8601: text, zone: zone).date, zone: zone)
    } catch {
      throw ValidationError("DOGWALK_NOW: \(error.message)")
    }
  }
}
