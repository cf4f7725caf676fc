extension String {
  /// Whether the text contains white space of any script.
  ///
  ///     "yesterday 18:00".hasWhitespace   // true
  package var hasWhitespace: Bool {
    // Most words are ASCII and need no look-up in Unicode's tables.
    utf8.contains { $0 <= 0x20 || $0 >= 0x7F } && contains(where: \.isWhitespace)
  }
}
