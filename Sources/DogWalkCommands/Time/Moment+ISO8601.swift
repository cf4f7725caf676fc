import CommandLineKit
import DataFormats

extension Moment {
  /// The moment in ISO 8601, to the second: `2026-11-20T18:00:00+01:00`; UTC is `+00:00`.
  ///
  /// An offset with seconds, which ISO 8601 cannot express, is rounded down to minutes, and the
  /// time is adjusted so that the instant is unchanged.
  var iso8601: String {
    var text: [UInt8] = []
    text.append(iso8601: self)
    return String(decoding: text, as: UTF8.self)
  }

  /// The offset from UTC in ISO 8601: `+01:00`.
  var offsetText: String {
    let offset = utcOffset.flooredDivision(by: 60).quotient
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    return "\(offset < 0 ? "-" : "+")\(hours.padded(to: 2)):\(minutes.padded(to: 2))"
  }

  /// Reads ISO 8601: `2026-11-20T18:00`, optionally with seconds and `Z` or `+01:00`.
  ///
  /// - Parameter zone: The zone of a time without an offset.
  /// - Throws: `ValidationError` that names the part that cannot be read, and for a local time that
  ///   a clock change skipped.
  init(iso8601 text: String, zone: LocalZone) throws(ValidationError) {
    guard let written = WrittenTime(dated: text) else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) is not an ISO 8601 time",
        hint: "Write 2026-11-20T18:00:00+01:00 or 2026-11-20T17:00:00Z.")
    }
    self = try written.moment(in: zone)
  }
}

extension [UInt8] {
  /// Appends a moment in the form of its `iso8601`.
  mutating func append(iso8601 moment: Moment) {
    let offset = moment.utcOffset.flooredDivision(by: 60).quotient
    let shown = Moment(date: moment.date, utcOffset: offset * 60)
    let (year, month, day) = shown.day.components
    let time = shown.time
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    guard (0...9999).contains(year), hours < 100 else {
      append("\(shown.day)T\(time):\(time.second.padded(to: 2))\(moment.offsetText)")
      return
    }
    // Filled in place, since this is most of the cost of a line of a list.
    let start = count
    append(offset < 0 ? "0000-00-00T00:00:00-00:00" : "0000-00-00T00:00:00+00:00")
    withUnsafeMutableBytes { bytes in
      let text = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      text.add(year / 100, at: 0)
      text.add(year % 100, at: 2)
      text.add(month, at: 5)
      text.add(day, at: 8)
      text.add(time.hour, at: 11)
      text.add(time.minute, at: 14)
      text.add(time.second, at: 17)
      text.add(hours, at: 20)
      text.add(minutes, at: 23)
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Adds a number below 100 to the two ASCII zeros at an offset.
  fileprivate func add(_ number: Int, at offset: Int) {
    self[offset] &+= UInt8(truncatingIfNeeded: number / 10)
    self[offset + 1] &+= UInt8(truncatingIfNeeded: number % 10)
  }
}
