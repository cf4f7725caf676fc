import CommandLineKit

/// The options that select walks by time.
extension Option {
  /// `--today`: today's walks.
  static let today = flag("today", help: "today's walks")
  /// `--yesterday`: yesterday's walks.
  static let yesterday = flag("yesterday", help: "yesterday's walks")
  /// `--week`: this week's walks.
  static let week = flag("week", help: "this week's walks")
  /// `--last-week`: last week's walks.
  static let lastWeek = flag("last-week", help: "last week's walks")
  /// `--month`: the walks of this month or another.
  static let month = Option(
    "month", value: .optional("YYYY-MM"), help: "this month's walks, or those of the one named")
  /// `--last-month`: last month's walks.
  static let lastMonth = flag("last-month", help: "last month's walks")
  /// `--year`: the walks of this year or another.
  static let year = Option(
    "year", value: .optional("YYYY"), help: "this year's walks, or those of the one named")
  /// `--days`: the walks of the last days.
  static let days = Option(
    "days", value: .required("N"), help: "the last N days' walks, including today's")
  /// `--since`: walks that began at a time or later.
  static let since = Option("since", value: .required("WHEN"), help: "walks from then on")
  /// `--until`: walks that began before a time, or up to and including a day.
  static let until = Option(
    "until", value: .required("WHEN"), help: "walks up to then; a day is included")
  /// `--week-start`: the first day of the week.
  static let weekStart = Option(
    "week-start", value: .required("DAY"),
    help: "the day a week starts on: mon (the default) or sun",
    completion: .choices(["mon", "sun"]))

  /// In the order of help.
  static let period: [Option] = [
    today, yesterday, week, lastWeek, month, lastMonth, year, days, since, until, weekStart,
  ]
}
