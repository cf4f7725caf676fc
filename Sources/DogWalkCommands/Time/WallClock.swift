import CommandLineKit
import SystemLibraries

/// The current time and zone, passed to all code that needs them, so that tests can set them.
///
///     let clock = try WallClock(environment: .process)
///     clock.now.day   // today
struct WallClock: Sendable {
  /// The current time to the second, with the local offset.
  let now: Moment
  /// The local zone.
  let zone: LocalZone

  /// Creates a clock at an instant, rounded down to seconds, in a zone.
  init(now: Date, zone: LocalZone) {
    self.zone = zone
    self.now = zone.moment(
      at: Date(timeIntervalSince1970: Double(now.wholeSecondsSince1970)))
  }

  /// Creates the system's clock, or one at the time that `DOGWALK_NOW` gives in ISO 8601.
  ///
  /// - Throws: `ValidationError` if `DOGWALK_NOW` cannot be read.
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
