import CommandLineKit

/// The options that say something about a walk; several commands share them.
extension Option {
  /// `-d`, `--dog`: whose walk it is.
  static let dog = Option(
    "dog", short: "d", value: .required("NAME"), isRepeating: true,
    help: "whose walk it was: any name, with spaces too", completion: .dogs)
  /// `--duration`: how long it was.
  static let duration = Option(
    "duration", value: .required("D"), help: "how long it was: 35m, 1h15, 1:15, or 35 for minutes")
  /// `--at`: when it began.
  static let at = Option(
    "at", value: .required("WHEN"),
    help: "when it began: 18:00, 7pm, yesterday 18:00, mon 7:30, 2h ago, 2026-11-20 18:00")
  /// `--distance`: how far it was.
  static let distance = Option(
    "distance", value: .required("L"), help: "how far it was: 2.4km, 800m, 1.5mi")
  /// `-n`, `--note`: what there is to say about it.
  static let note = Option(
    "note", short: "n", value: .required("TEXT"), help: "what there is to remember")
  /// `--by`: who walked the dog.
  static let by = Option(
    "by", value: .required("WALKER"), help: "who walked the dog", completion: .walkers)
  /// `--pee`: how often the dog peed.
  static let pee = Option(
    "pee", value: .optional("N"), help: "how often the dog peed: once, or N times")
  /// `--poo`: how often the dog pooed.
  static let poo = Option(
    "poo", value: .optional("N"), help: "how often the dog pooed: once, or N times")
  /// `--new`: a name that looks like a slip is none.
  static let new = flag("new", help: "take a new name as typed, even where it looks like a slip")
}
