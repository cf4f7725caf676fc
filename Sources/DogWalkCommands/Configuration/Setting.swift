import CommandLineKit
import DataFormats

/// Something that `dogwalk config` sets for all commands to come.
enum Setting: String, CaseIterable, Sendable {
  /// Whether clocks go to 12 or to 24.
  case clock
  /// The first day of the week.
  case weekStart = "week-start"
  /// What ways are measured in.
  case units
  /// Who walks, and gives commands, where nobody is named.
  case by
  /// Where the walks are kept.
  case store

  /// The environment variable that goes before it.
  var variable: String {
    switch self {
    case .clock: "DOGWALK_CLOCK"
    case .weekStart: "DOGWALK_WEEK_START"
    case .units: "DOGWALK_UNITS"
    case .by: "DOGWALK_BY"
    case .store: "DOGWALK_STORE"
    }
  }

  /// The values there are; `nil` where any text may be one.
  var choices: [String]? {
    switch self {
    case .clock: ["12", "24"]
    case .weekStart: ["mon", "sun"]
    case .units: ["km", "mi"]
    case .by, .store: nil
    }
  }

  /// A value as it is kept: a name without white space around it, one of the choices.
  ///
  /// - Parameter place: Where the value stands, for the error: `in DOGWALK_CLOCK`.
  /// - Throws: `ValidationError` where it cannot be.
  func checked(_ typed: String, in place: String = "") throws(ValidationError) -> String {
    switch self {
    case .by:
      do throws(ValidationError) {
        return try TypedText.name(typed, of: "the walker")
      } catch {
        guard !place.isEmpty else { throw error }
        throw ValidationError("\(place): \(error.message)")
      }
    case .store:
      guard !typed.isEmpty, typed.isUTF8, !typed.unicodeScalars.contains(where: \.isControl) else {
        throw ValidationError(
          "\(prefix(place))\(rawValue) cannot be \(ValidationError.quoted(typed))",
          hint: "Write the path of a file, or a server's URL.")
      }
      return typed
    case .clock, .weekStart, .units:
      let value = typed.lowercased()
      guard let choices, !choices.contains(value) else { return value }
      throw ValidationError(
        "\(prefix(place))\(rawValue) cannot be \(ValidationError.quoted(typed))",
        hint: "Write \(choices.joined(separator: " or ")).")
    }
  }

  private func prefix(_ place: String) -> String { place.isEmpty ? "" : "\(place): " }
}

/// The value of a setting, and where it comes from.
struct SettingValue: Hashable, Sendable {
  /// The value.
  let text: String
  /// Where it comes from, as a person reads it: `$DOGWALK_BY`, a file's path, `default`.
  let origin: String
}
