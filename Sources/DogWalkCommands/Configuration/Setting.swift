import CommandLineKit
import DataFormats

/// A value that `dogwalk config` sets for all later commands.
enum Setting: String, CaseIterable, Sendable {
  /// Whether clocks have 12 or 24 hours.
  case clock
  /// The first day of the week.
  case weekStart = "week-start"
  /// The unit of distances.
  case units
  /// The walker and author for commands that name none.
  case by
  /// The location of the store.
  case store

  /// The environment variable that overrides it.
  var variable: String {
    switch self {
    case .clock: "DOGWALK_CLOCK"
    case .weekStart: "DOGWALK_WEEK_START"
    case .units: "DOGWALK_UNITS"
    case .by: "DOGWALK_BY"
    case .store: "DOGWALK_STORE"
    }
  }

  /// The allowed values; `nil` if any text is allowed.
  var choices: [String]? {
    switch self {
    case .clock: ["12", "24"]
    case .weekStart: ["mon", "sun"]
    case .units: ["km", "mi"]
    case .by, .store: nil
    }
  }

  /// Returns a value in the form in which it is stored: a name without surrounding white space, or
  /// a choice.
  ///
  /// - Parameter place: The value's origin, for the error: `DOGWALK_CLOCK`.
  /// - Throws: `ValidationError` if it is invalid.
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
