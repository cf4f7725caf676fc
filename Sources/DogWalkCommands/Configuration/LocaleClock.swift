/// Whether clocks have 12 hours in the region of a locale.
///
/// The C library is not used: it only knows installed locales, often just the machine's own, while
/// `ssh` passes on the variables of another one; on macOS it gives 24 hours for all of them.
/// Source: CLDR 44, `timeData` of the regions, with the formats of the Spanish locales, most of
/// which use 24 hours where their regions allow both.
enum LocaleClock {
  /// Returns whether a locale, named as in variables (`en_US.UTF-8`), has clocks with 12 hours.
  static func hasTwelveHours(in locale: String) -> Bool {
    let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
    guard parts.count > 1, let language = parts.first, let region = parts.last else { return false }
    switch language {
    case "es": return twelveHoursInSpanish.contains(String(region))
    case "fr": return false
    default: return twelveHours.contains(String(region))
    }
  }

  private static let twelveHoursInSpanish: Set<String> = ["CO", "DO", "PA", "PR", "US", "VE"]

  private static let twelveHours: Set<String> = [
    "AE", "AG", "AL", "AS", "AU", "BB", "BD", "BH", "BM", "BN", "BS", "BT", "CA", "CY", "DJ", "DM",
    "DZ", "EG", "EH", "ER", "ET", "FJ", "FM", "GD", "GH", "GM", "GR", "GU", "GY", "HK", "IN", "IQ",
    "JM", "JO", "KH", "KI", "KN", "KP", "KR", "KW", "KY", "LB", "LC", "LR", "LS", "LY", "MH", "MO",
    "MP", "MR", "MW", "MY", "NA", "NZ", "OM", "PG", "PH", "PK", "PR", "PS", "PW", "QA", "SA", "SB",
    "SD", "SG", "SL", "SO", "SS", "SY", "SZ", "TC", "TD", "TN", "TO", "TT", "TW", "UM", "US", "VC",
    "VG", "VI", "VU", "WS", "YE", "ZM",
  ]
}
