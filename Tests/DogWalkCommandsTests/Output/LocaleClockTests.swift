import Testing

@testable import DogWalkCommands

@Suite struct `The clock of a locale` {
  @Test(arguments: [
    "en_US.UTF-8", "en_AU", "en_CA", "hi_IN", "ar_EG.UTF-8", "ko_KR@x", "zh_Hant_TW", "es_CO",
  ])
  func `has 12 hours where people expect that`(locale: String) {
    #expect(LocaleClock.hasTwelveHours(in: locale))
  }

  @Test(arguments: [
    "en_GB.UTF-8", "en_ZA", "de_DE.UTF-8", "fr_CA", "es_ES", "es_MX", "ja_JP", "C", "C.UTF-8",
    "POSIX", "en", "_",
    "", "US", "x_us",
  ])
  func `has 24 hours everywhere else`(locale: String) {
    #expect(!LocaleClock.hasTwelveHours(in: locale))
  }
}
