/// How texts are compared: what the letters in `==[cd]` say.
///
///     try FetchPredicate(format: "name ==[c] %@", "fido")
///
/// Without any, texts compare by their UTF-8 bytes. With one or more, texts that are canonically
/// equivalent are the same: é in one scalar or in two. Predicates call them
/// `FetchPredicate.Options`.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8
  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Without regard to upper and lower case: `[c]`.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Without regard to accents: `[d]`.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// In Unicode's normalized form: `[n]`; the others count no more.
  public static let normalized = TextOptions(rawValue: 4)

  /// What really counts: `n` supersedes the others.
  var effective: TextOptions { contains(.normalized) ? .normalized : self }
}
