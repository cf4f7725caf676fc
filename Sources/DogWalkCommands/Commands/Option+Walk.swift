import CommandLineKit

/// The options that set a walk's values, shared by several commands.
extension Option {
  /// `-d`, `--dog`: the dog.
  static let dog = Option(
    "dog", short: "d", value: .required("NAME"), isRepeating: true,
    help: "the dog that was walked; the name may contain spaces", completion: .dogs)
  /// `--duration`: the length.
  static let duration = Option(
    "duration", value: .required("D"), help: "how long it was: 35m, 1h15, 1:15, or 35 for minutes")
  /// `--at`: the start.
  static let at = Option(
    "at", value: .required("WHEN"),
    help: "when it began: 18:00, 7pm, yesterday 18:00, mon 7:30, 2h ago, 2026-11-20 18:00")
  /// `--distance`: the distance.
  static let distance = Option(
    "distance", value: .required("L"), help: "how far it was: 2.4km, 800m, 1.5mi")
  /// `-n`, `--note`: the note.
  static let note = Option(
    "note", short: "n", value: .required("TEXT"), help: "a note")
  /// `--by`: the walker.
  static let by = Option(
    "by", value: .required("WALKER"), help: "who walked the dog", completion: .walkers)
  /// `--pee`: the number of times the dog peed.
  static let pee = Option(
    "pee", value: .optional("N"), help: "how often the dog peed: once, or N times")
  /// `--poo`: the number of times the dog pooed.
  static let poo = Option(
    "poo", value: .optional("N"), help: "how often the dog pooed: once, or N times")
  /// `--new`: accepts a new name that looks like a typing error.
  static let new = flag("new", help: "take a new name as typed, even if it looks like a mistake")
}
