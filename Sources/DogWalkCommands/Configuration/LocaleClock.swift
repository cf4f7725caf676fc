/// How clocks are read where a locale is at home.
///
/// The C library is not asked: it knows only the locales that are installed, mostly none but that
/// of the machine, while `ssh` brings the variables of another one along; on macOS it says 24 hours
/// for all of them. Source: CLDR 44, `timeData` of the regions, with the formats of the Spanish
/// locales, most of which go to 24 where their regions are said to know both.
enum LocaleClock {
  /// Whether clocks go to twelve in a locale, as variables name it: `en_US.UTF-8`.
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
