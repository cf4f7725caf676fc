import CommandLineKit

/// Numbers with a decimal comma, as in spreadsheets of many countries: `2,4`.
enum LocalNumber {
  /// Returns a number with its decimal comma replaced by a point; one with a point stays unchanged.
  ///
  ///     LocalNumber.plain("2,4 km")   // "2.4 km"
  static func plain(_ text: String) -> String {
    guard !text.utf8.contains(UInt8(ascii: ".")) else { return text }
    return String(text.map { $0 == "," ? "." : $0 })
  }

  /// Returns the error about a number with two readings, since its mark may separate thousands.
  ///
  /// Returns nil for any other number.
  ///
  ///     LocalNumber.ambiguity(of: "1.200", dividedBy: ["."])
  ///     // "1.200" may be 1200 or 1.2: write 1200 or 1,2
  static func ambiguity(of text: String, dividedBy marks: [Character]) -> String? {
    for mark in marks {
      guard let (thousands, decimal) = readings(of: text, dividedBy: mark) else { continue }
      let written = mark == "." ? String(decimal.map { $0 == "." ? "," : $0 }) : decimal
      return "\(ValidationError.quoted(text)) may be \(thousands) or \(decimal): write "
        + "\(thousands) or \(written)"
    }
    return nil
  }

  /// Returns whether a number has a comma that can only be a decimal one: `30,5`.
  static func hasDecimalComma(_ text: String) -> Bool {
    text.count(where: { $0 == "," }) == 1 && !text.contains(".")
      && readings(of: text, dividedBy: ",") == nil
  }

  /// Returns the two readings of a number whose mark may separate thousands or decimals.
  ///
  /// Returns nil for any other number.
  ///
  ///     LocalNumber.readings(of: "1.200m", dividedBy: ".")   // ("1200m", "1.2m")
  static func readings(
    of text: String, dividedBy mark: Character
  ) -> (thousands: String, decimal: String)? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    let parts = number.split(separator: mark, omittingEmptySubsequences: false)
    // A number in thousands does not begin with a zero.
    guard parts.count == 2, (1...3).contains(parts[0].count), parts[0].first != "0",
      parts[1].count == 3, parts.allSatisfy({ WordScanner.isNumber($0) })
    else { return nil }
    let unit = String(text[number.endIndex...]).escapingControls
    var decimals = parts[1]
    while decimals.last == "0" { decimals.removeLast() }
    return (
      "\(parts[0])\(parts[1])\(unit)",
      "\(parts[0])\(decimals.isEmpty ? "" : ".")\(decimals)\(unit)"
    )
  }
}
