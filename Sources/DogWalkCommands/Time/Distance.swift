import CommandLineKit

/// The distance covered on a walk.
struct Distance: Hashable, Sendable {
  /// The distance in metres.
  let metres: Double

  /// The number of metres in a mile.
  static let metresOfMile = 1609.344

  /// Creates a distance in metres.
  init(metres: Double) {
    self.metres = metres
  }

  /// Reads the value of `--distance`: `2.4km`, `800m`, `1.5mi`.
  ///
  ///     try Distance(typed: "1.5mi").metres   // 2414.016
  ///
  /// - Throws: `ValidationError` for anything else; the unit is required.
  init(typed text: String) throws(ValidationError) {
    let word = text.lowercased().filter { $0 != " " }
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    let metresOfUnit: Double? =
      switch word[digits.endIndex...] {
      case "m", "metre", "metres", "meter", "meters": 1
      case "km", "kms", "kilometre", "kilometres", "kilometer", "kilometers", "k": 1000
      case "mi", "mile", "miles": Self.metresOfMile
      default: nil
      }
    if let readings = Self.readings(of: word) {
      throw ValidationError(
        "\(ValidationError.quoted(text)) may be \(readings)", hint: "Write one of them.")
    }
    var number = String(digits)
    // 2,4 km is 2.4 km; 1,500 m is ambiguous.
    if let comma = number.firstIndex(of: ","), number.distance(from: comma, to: number.endIndex) < 4
    {
      number.replaceSubrange(comma...comma, with: ".")
    }
    guard let metresOfUnit, let count = Double(number), count < 1_000_000 else {
      let isNumber = !word.isEmpty && digits.count == word.count
      throw ValidationError(
        "\(ValidationError.quoted(text)) is not a distance\(isNumber ? ": the unit is missing" : "")",
        hint: "Write 2.4km, 800m or 1.5mi.")
    }
    // Rounded to millimetres, so that 2.3 km is 2300 m and not 2299.9999999999995.
    metres = (count * metresOfUnit * 1000).rounded() / 1000
  }

  /// Returns `1200m or 1.2m` for `1.200m`, since the point may separate thousands; nil for other
  /// words.
  ///
  /// The word is in lower case.
  static func readings(of word: String) -> String? {
    let unit = word.drop { $0.isNumber || $0 == "." }
    guard ["m", "metre", "metres", "meter", "meters"].contains(unit) else { return nil }
    return LocalNumber.readings(of: word, dividedBy: ".").map {
      "\($0.thousands) or \($0.decimal)"
    }
  }

  /// Reads words of a command in lower case, `2.4km` or `1.5 miles`; `nil` for any other form.
  ///
  /// `800m` on its own is a duration, not a distance.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last,
      first.utf8.first.map(WordScanner.isDigit) ?? false
    else { return nil }
    let hasUnit = first.contains(where: \.isLetter)
    guard words.count == (hasUnit ? 1 : 2), hasUnit || last.allSatisfy(\.isLetter),
      WrittenDuration(words: words) == nil,
      let distance = try? Distance(typed: TypedWords.text(of: words))
    else { return nil }
    self = distance
  }
}
