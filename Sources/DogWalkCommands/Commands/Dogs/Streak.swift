/// The number of consecutive days up to today on which a dog was out.
///
/// A day counts if a walk began on it, by the walk's own clock. Until the dog is out today, the
/// days up to yesterday count.
struct Streak: Hashable, Sendable {
  /// The number of days.
  let days: Int
  /// Whether there are more days, which were not counted.
  let isLonger: Bool

  /// The streak as shown to people, `9 days in a row`; empty for less than two days.
  var reading: String {
    days < 2 ? "" : "\(days)\(isLonger ? "+" : "") days in a row"
  }

  /// The number of days to which streaks are counted by default, since reading many years of walks
  /// is slow.
  static let usualDays = 10

  /// The rule as help explains it.
  static let rule =
    "A streak is the days in a row on which the dog was out; today counts as soon as it was."
}
