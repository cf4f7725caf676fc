import CommandLineKit

extension Moment {
  /// The moment in ISO 8601, to the second: `2026-11-20T18:00:00+01:00`; UTC is `+00:00`.
  ///
  /// Offsets of old local times have seconds, which ISO 8601 cannot write: they are told by the
  /// whole minute below, so that the instant stays true.
  var iso8601: String {
    let minutes = utcOffset.flooredDivision(by: 60).quotient
    let shown = Moment(date: date, utcOffset: minutes * 60)
    let sign = minutes < 0 ? "-" : "+"
    let offset = "\(sign)\((abs(minutes) / 60).padded(to: 2)):\((abs(minutes) % 60).padded(to: 2))"
    return "\(shown.day)T\(shown.time):\(shown.time.second.padded(to: 2))\(offset)"
  }

  /// Reads ISO 8601: `2026-11-20T18:00`, with seconds and `Z` or `+01:00` where they are given.
  ///
  /// - Parameter zone: The zone of a time without an offset.
  /// - Throws: `ValidationError` naming the part that cannot be read, and for a local time that a
  ///   clock change skipped.
  init(iso8601 text: String, zone: LocalZone) throws(ValidationError) {
    guard let written = WrittenTime(dated: text) else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) is no ISO 8601 time",
        hint: "Write 2026-11-20T18:00:00+01:00 or 2026-11-20T17:00:00Z.")
    }
    self = try written.moment(in: zone)
  }
}
