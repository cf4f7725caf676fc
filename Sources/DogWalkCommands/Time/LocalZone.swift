import SystemLibraries

/// The rules of local time: conversions between instants and local days and times.
///
///     let zone = LocalZone.system                   // follows TZ, by the C library
///     zone.moment(at: .now).time                    // what the clock on the wall shows
///     zone.occurrences(of: day, at: time)           // .once, .twice or .never
///
/// A zone is defined by its offset from UTC at every instant. FoundationEssentials has no time
/// zones (they are silently GMT), so the offset comes from `localtime_r`.
struct LocalZone: Sendable {
  private let offset: @Sendable (_ secondsSince1970: Int) -> Int

  /// Creates a zone from its offset from UTC in seconds at an instant in seconds since 1970.
  init(offset: @escaping @Sendable (_ secondsSince1970: Int) -> Int) {
    self.offset = offset
  }

  /// The zone of this process: `TZ` if it is set, else the system's.
  ///
  /// Historical local mean times are cut to whole minutes: ISO 8601 offsets have no seconds, and a
  /// time must be the same when typed, stored, printed and read again.
  ///
  /// glibc reads `TZ` once; code that changes it later must call `tzset`.
  static let system = LocalZone { seconds in
    var instant = time_t(seconds)
    var fields = tm()
    guard localtime_r(&instant, &fields) != nil else { return 0 }
    return Int(fields.tm_gmtoff) / 60 * 60
  }

  /// Returns a zone with a constant offset from UTC in seconds.
  static func fixed(_ utcOffset: Int) -> LocalZone {
    LocalZone { _ in utcOffset }
  }

  /// Returns the offset from UTC at an instant, in seconds.
  func utcOffset(at date: Date) -> Int {
    offset(date.wholeSecondsSince1970)
  }

  /// Returns an instant with this zone's offset.
  func moment(at date: Date) -> Moment {
    Moment(date: date, utcOffset: utcOffset(at: date))
  }

  /// The instants at which a zone's clocks show a day and time.
  enum Occurrences: Hashable, Sendable {
    /// One instant, as usual.
    case once(Moment)
    /// Two instants, since the clocks were put back over the time.
    case twice(first: Moment, second: Moment)
    /// None, since the clocks were put forward over it, from the first of these times to the
    /// second.
    case never(from: Moment, to: Moment)
  }

  /// Returns the instants at which the clocks show a day and time.
  ///
  /// This takes three lookups of the offset, and about forty for a skipped time.
  func occurrences(of day: CivilDate, at time: ClockTime) -> Occurrences {
    let shown = day.daysSince1970 * 86_400 + time.secondsSinceMidnight
    // The instant is within a day of the same time in UTC, and changes are weeks apart.
    let offsets = [offset(shown - 86_400), offset(shown), offset(shown + 86_400)]
    var found: [Int] = []
    for candidate in offsets where offset(shown - candidate) == candidate {
      if !found.contains(candidate) { found.append(candidate) }
    }
    // The greater offset comes first, since clocks further ahead show a time earlier.
    let moments = found.sorted(by: >).map {
      Moment(secondsSince1970: shown - $0, utcOffset: $0)
    }
    switch moments.count {
    case 0: return gap(around: shown)
    case 1: return .once(moments[0])
    default: return .twice(first: moments[0], second: moments[1])
    }
  }

  /// Returns the change that skipped a time, by binary search in the two days around it.
  private func gap(around shown: Int) -> Occurrences {
    var before = shown - 86_400
    var after = shown + 86_400
    let from = offset(before)
    while after - before > 1 {
      let middle = (before + after) / 2
      if offset(middle) == from { before = middle } else { after = middle }
    }
    return .never(
      from: Moment(secondsSince1970: after, utcOffset: from),
      to: Moment(secondsSince1970: after, utcOffset: offset(after)))
  }
}
