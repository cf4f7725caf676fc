import SystemLibraries

/// The rules of local time: from an instant to what the clocks show, and back.
///
///     let zone = LocalZone.system                   // follows TZ, by the C library
///     zone.moment(at: .now).time                    // what the clock on the wall shows
///     zone.occurrences(of: day, at: time)           // .once, .twice or .never
///
/// A zone is no more than its offset from UTC at every instant. FoundationEssentials has no time
/// zones (they are silently GMT), so the offset comes from `localtime_r`.
struct LocalZone: Sendable {
  private let offset: @Sendable (_ secondsSince1970: Int) -> Int

  /// A zone by its offset from UTC, in seconds, at any instant given in seconds since 1970.
  init(offset: @escaping @Sendable (_ secondsSince1970: Int) -> Int) {
    self.offset = offset
  }

  /// The zone of this process: `TZ` where it is set, else the system's.
  ///
  /// Local mean time of long ago, some seconds off a whole minute, counts without its seconds: ISO
  /// 8601 writes none, and what is typed, stored, printed and read again has to be one time.
  ///
  /// glibc reads `TZ` once; whoever changes it later calls `tzset`.
  static let system = LocalZone { seconds in
    var instant = time_t(seconds)
    var fields = tm()
    guard localtime_r(&instant, &fields) != nil else { return 0 }
    return Int(fields.tm_gmtoff) / 60 * 60
  }

  /// A zone that is always so many seconds ahead of UTC.
  static func fixed(_ utcOffset: Int) -> LocalZone {
    LocalZone { _ in utcOffset }
  }

  /// How far the clocks are ahead of UTC at an instant, in seconds.
  func utcOffset(at date: Date) -> Int {
    offset(date.wholeSecondsSince1970)
  }

  /// An instant, told by the clocks of this zone.
  func moment(at date: Date) -> Moment {
    Moment(date: date, utcOffset: utcOffset(at: date))
  }

  /// When the clocks of a zone show a certain day and time.
  enum Occurrences: Hashable, Sendable {
    /// As usual.
    case once(Moment)
    /// Twice: the clocks were put back over it.
    case twice(first: Moment, second: Moment)
    /// Never: the clocks were put forward over it, from the first of these times to the second.
    case never(from: Moment, to: Moment)
  }

  /// Finds the instants at which the clocks show a day and time.
  ///
  /// Needs three look-ups of the offset, and some forty where the time is skipped.
  func occurrences(of day: CivilDate, at time: ClockTime) -> Occurrences {
    let shown = day.daysSince1970 * 86_400 + time.secondsSinceMidnight
    // The instant is within a day of the same figures in UTC, and changes are weeks apart.
    let offsets = [offset(shown - 86_400), offset(shown), offset(shown + 86_400)]
    var found: [Int] = []
    for candidate in offsets where offset(shown - candidate) == candidate {
      if !found.contains(candidate) { found.append(candidate) }
    }
    // The greater offset comes first: clocks that are ahead show a time earlier.
    let moments = found.sorted(by: >).map {
      Moment(secondsSince1970: shown - $0, utcOffset: $0)
    }
    switch moments.count {
    case 0: return gap(around: shown)
    case 1: return .once(moments[0])
    default: return .twice(first: moments[0], second: moments[1])
    }
  }

  /// The change that skipped the time, found by halving the two days around it.
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
