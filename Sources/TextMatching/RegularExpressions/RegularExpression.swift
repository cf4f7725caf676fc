/// A pattern of `MATCHES`, parsed once and matched against whole texts in linear time.
///
///     let code = try RegularExpression("[A-Z]{2}\\d{3,5}")
///     code.matches(utf8)
///
/// Predicates use it for `MATCHES`, and validation for an attribute's regular expression, in memory
/// and in an SQL function alike. The language is that of ICU, which Core Data uses, without the
/// constructs that cannot be matched in linear time:
///
/// - letters, `.`, `|`, `( )`, `(?: )`, `(?<name> )`, comments `(?# )`, `^` `$` `\A` `\z` `\Z` `\b`
///   `\B`;
/// - `*` `+` `?` `{m}` `{m,}` `{m,n}`, also lazy, which matches the same whole texts;
/// - `[a-z]`, `[^…]`, sets in sets, `&&`, `--`, `[[a-z]-[aeiou]]`, `[[a-z]&[aeiou]]`, `[:alpha:]`,
///   `\d` `\D` `\w` `\W` `\s` `\S` `\h` `\H` `\v` `\V`, `\p{L}` `\P{Lu}` `\p{Letter}` and the other
///   general categories, `\p{Alphabetic}` and such;
/// - `\t` `\n` `\r` `\f` `\a` `\e` `\cX` `\0oo` `\xhh` `\x{h…}` `\uhhhh` `\Uhhhhhhhh`, `\Q…\E`, and
///   `\` before any sign;
/// - the flags `(?i)`, `(?m)`, `(?s)`, `(?i: )`, `(?-i)`.
///
/// Back references, look-around, atomic groups, possessive quantifiers, `\G`, `\X`, `\R`, `\N` and
/// the flags `x`, `u`, `w` are rejected, and so are other properties, such as `\p{Han}`. When case
/// is ignored, a sequence of letters is folded in full ("ss" matches ß); a set or a repeated letter
/// is folded scalar by scalar.
///
/// All paths through the pattern are followed at once (Thompson's construction), so no pattern
/// hangs: O(text · pattern). A pattern that would need more than 20,000 steps is rejected.
package struct RegularExpression: Sendable {
  /// The pattern's text.
  package let pattern: String
  private let program: RegularExpressionProgram
  private let ignoresMarks: Bool

  /// Parses a pattern.
  ///
  /// `[c]` ignores case; `[d]` removes marks, in the pattern too; `[n]` has no effect.
  ///
  /// - Parameter hasLines: whether `^` and `$` also match at line breaks and `.` matches a line
  ///   break, as in `MATCHES`.
  /// - Throws: `RegularExpressionError` with the position, if the pattern is invalid or
  ///   unsupported.
  package init(
    _ pattern: String, _ options: TextOptions = [], hasLines: Bool = false
  ) throws(RegularExpressionError) {
    let options = options.effective
    self.pattern = pattern
    ignoresMarks = options.contains(.diacriticInsensitive)
    var text = pattern
    let utf8 =
      ignoresMarks
      ? text.withUTF8 { TextFolding.withoutMarks(UnsafeRawBufferPointer($0)) } : Array(text.utf8)
    var parser = RegularExpressionParser(
      pattern: pattern, utf8: utf8, ignoresCase: options.contains(.caseInsensitive))
    if hasLines { parser.flags.formUnion([.hasLines, .dotTakesAll]) }
    let tree = try parser.parse()
    var compiler = RegularExpressionCompiler(pattern: pattern)
    program = try compiler.compile(tree, sets: parser.sets)
  }

  /// Whether a whole text matches the pattern; the text is UTF-8 of any origin.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard ignoresMarks else { return program.matches(text) }
    return TextFolding.withoutMarks(text).withUnsafeBytes { program.matches($0) }
  }

  /// Whether a whole text matches the pattern.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }
}
