/// How texts are compared: what the letters in `==[cd]` say.
///
/// Without any, texts compare by their UTF-8 bytes. With one or more, texts that are canonically
/// equivalent are the same: é in one scalar or in two.
typealias TextOptions = FetchPredicate.Options

extension TextOptions {
  /// What really counts: `n` supersedes the others.
  var effective: TextOptions { contains(.normalized) ? .normalized : self }
}
