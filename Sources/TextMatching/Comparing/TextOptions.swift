/// The options for comparing texts: the letters in `==[cd]`.
///
///     try FetchPredicate(format: "name ==[c] %@", "fido")
///
/// Without options, texts are compared by their UTF-8 bytes. With any option, canonically
/// equivalent texts are equal: é as one scalar or as two. Predicates use the name
/// `FetchPredicate.Options`.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: UInt8
  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores upper and lower case: `[c]`.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Ignores diacritics: `[d]`.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// Compares the normalized forms: `[n]`; supersedes the other options.
  public static let normalized = TextOptions(rawValue: 4)

  /// The options in effect: `n` supersedes the others.
  var effective: TextOptions { contains(.normalized) ? .normalized : self }
}
