/// How texts are compared: what the letters in `==[cd]` say.
///
/// Without any, texts compare by their UTF-8 bytes. With one or more, texts that are canonically
/// equivalent are the same: é in one scalar or in two. Follows Core Data's
/// `NSComparisonPredicate.Options`.
struct TextOptions: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  /// Case does not count (`c`).
  ///
  /// Unicode's full case folding: `Straße` is `STRASSE`.
  static let caseInsensitive = TextOptions(rawValue: 1)
  /// Marks do not count on Latin, Greek and Cyrillic letters, below U+0510 (`d`): `é` is `e`.
  static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// Texts are compared in Unicode's normalized form, and `c` and `d` do not count (`n`).
  ///
  /// Core Data takes such texts for normalized already and compares their bytes; for texts that are,
  /// the answer is the same.
  static let normalized = TextOptions(rawValue: 4)

  /// What really counts: `n` supersedes the others.
  var effective: TextOptions { contains(.normalized) ? .normalized : self }
}
