import CommandLineKit

/// The length of a walk's way.
struct Distance: Hashable, Sendable {
  /// Its length in metres.
  let metres: Double

  /// A distance in metres.
  init(metres: Double) {
    self.metres = metres
  }

  /// Reads the value of `--distance`: `2.4km`, `800m`, `1.5mi`.
  ///
  ///     try Distance(typed: "1.5mi").metres   // 2414.016
  ///
  /// - Throws: `ValidationError` for anything else; the unit must be there.
  init(typed text: String) throws(ValidationError) {
    let word = text.lowercased().filter { $0 != " " }
    let number = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let metresOfUnit: Double? =
      switch word[number.endIndex...] {
      case "m": 1
      case "km": 1000
      case "mi": 1609.344
      default: nil
      }
    guard let metresOfUnit, let count = Double(number), count < 1_000_000 else {
      let isNumber = !word.isEmpty && number.count == word.count
      throw ValidationError(
        "\(ValidationError.quoted(text)) is no distance\(isNumber ? ": the unit is missing" : "")",
        hint: "Write 2.4km, 800m or 1.5mi.")
    }
    // To the millimetre, so that 2.3 km is 2300 m and not 2299.9999999999995.
    metres = (count * metresOfUnit * 1000).rounded() / 1000
  }
}
