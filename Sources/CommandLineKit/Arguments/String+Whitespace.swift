extension String {
  /// Whether there is white space in the text, of any script.
  ///
  ///     "yesterday 18:00".hasWhitespace   // true
  package var hasWhitespace: Bool {
    // Most words are plain ASCII, whose bytes tell without Unicode's tables.
    utf8.contains { $0 <= 0x20 || $0 >= 0x7F } && contains(where: \.isWhitespace)
  }
}
