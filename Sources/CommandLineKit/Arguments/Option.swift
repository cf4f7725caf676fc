/// An option: a word that begins with dashes, with a value behind it or without one (a flag).
///
///     extension Option {
///       static let dog = Option(
///         "dog", short: "d", value: .required("NAME"), isRepeating: true, help: "whose walk it is")
///       static let json = Option.flag("json", help: "print JSON")
///     }
///
/// The same value describes the option to the parser, to help and to completion scripts, and is
/// the key under which `ArgumentValues` hands out what was typed.
package struct Option: Hashable, Sendable {
  /// Whether a value follows, and what help calls it.
  package enum Value: Hashable, Sendable {
    /// None: the option is a flag.
    case none
    /// Always: `--dog NAME` or `--dog=NAME`.
    case required(String)
    /// Perhaps, and only behind an equals sign: `--pee` or `--pee=2`.
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
  /// What it does, as a phrase without a full stop.
  package let help: String
  /// What a shell may offer as its value; `choices` are checked by the parser too.
  package let completion: Completion

  /// An option with a value.
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

  /// An option without a value.
  package static func flag(_ name: String, short: Character? = nil, help: String) -> Option {
    Option(name, short: short, value: .none, help: help)
  }

  /// Whether a value always follows.
  package var needsValue: Bool {
    if case .required = value { true } else { false }
  }

  /// How it is spelled, value included: `--dog NAME`, `--pee[=N]`, `--json`.
  package var usage: String {
    switch value {
    case .none: "--\(name)"
    case .required(let valueName): "--\(name) \(valueName)"
    case .optional(let valueName): "--\(name)[=\(valueName)]"
    }
  }
}
