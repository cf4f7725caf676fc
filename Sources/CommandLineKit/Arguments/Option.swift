/// An option: a word that begins with dashes, with a value or, for a flag, without one.
///
///     extension Option {
///       static let dog = Option(
///         "dog", short: "d", value: .required("NAME"), isRepeating: true, help: "whose walk it is")
///       static let json = Option.flag("json", help: "print JSON")
///     }
///
/// The same description is used by the parser, by help and by completion, and is the key to the
/// values in `ArgumentValues`.
package struct Option: Hashable, Sendable {
  /// Whether a value follows, and its name in help.
  package enum Value: Hashable, Sendable {
    /// No value: the option is a flag.
    case none
    /// A required value: `--dog NAME` or `--dog=NAME`.
    case required(String)
    /// An optional value after an equals sign: `--pee` or `--pee=2`.
    case optional(String)
  }

  /// The long name without its dashes.
  package let name: String
  /// The letter of the short form.
  package let short: Character?
  /// Whether a value follows.
  package let value: Value
  /// Whether it may be given more than once.
  package let isRepeating: Bool
  /// The description, a phrase without a full stop.
  package let help: String
  /// The completions for its value; the parser also checks `choices`.
  package let completion: Completion

  /// Creates an option with a value.
  package init(
    _ name: String, short: Character? = nil, value: Value, isRepeating: Bool = false, help: String,
    completion: Completion = .nothing
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeating = isRepeating
    self.help = help
    self.completion = completion
  }

  /// Creates an option without a value.
  package static func flag(_ name: String, short: Character? = nil, help: String) -> Option {
    Option(name, short: short, value: .none, help: help)
  }

  /// Whether a value is required.
  package var needsValue: Bool {
    if case .required = value { true } else { false }
  }

  /// The option's syntax including its value: `--dog NAME`, `--pee[=N]`, `--json`.
  package var usage: String {
    switch value {
    case .none: "--\(name)"
    case .required(let valueName): "--\(name) \(valueName)"
    case .optional(let valueName): "--\(name)[=\(valueName)]"
    }
  }
}
