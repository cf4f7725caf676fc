/// A pattern of `MATCHES`, read once and matched against many whole texts in linear time.
///
///     let code = try RegularExpression("[A-Z]{2}\\d{3,5}")
///     code.matches(utf8)
///
/// What predicates call for `MATCHES` and validation for an attribute's regular expression, in
/// memory and as a function within SQL alike. The language is that of ICU, which Core Data uses,
/// without what cannot be matched in linear time:
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
/// the flags `x`, `u`, `w` are refused, and properties other than those, such as `\p{Han}`. Without
/// regard to case, a row of letters folds in full ("ss" is ß), a set or a letter that is repeated
/// scalar by scalar.
///
/// All ways through the pattern are followed at once (Thompson's construction), so no pattern
/// hangs: O(text · pattern). A pattern that would grow beyond 20,000 steps is refused.
package struct RegularExpression: Sendable {
  /// The pattern that was read.
  package let pattern: String
  private let program: RegularExpressionProgram
  private let ignoresMarks: Bool

  /// Reads a pattern.
  ///
  /// `[c]` matches case-insensitively; `[d]` leaves marks out, of the pattern too; `[n]` says
  /// nothing here.
  ///
  /// - Parameter hasLines: whether `^` and `$` are at the ends of lines too, and `.` is a line's
  ///   end as well: so it is for `MATCHES`.
  /// - Throws: `RegularExpressionError` with the position, where it is wrong or not supported.
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

  /// Whether a whole text is as the pattern says; the text is UTF-8 of any origin.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard ignoresMarks else { return program.matches(text) }
    return TextFolding.withoutMarks(text).withUnsafeBytes { program.matches($0) }
  }

  /// Whether a whole text is as the pattern says.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }
}
