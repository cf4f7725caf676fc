import Foundation
import TestSupport
import Testing

@testable import TextMatching

@Suite struct RegularExpressionTests {
  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abcd", false), ("abc", "ab", false), ("", "", true),
    ("a|bc|d", "bc", true), ("a|bc|", "", true), ("a.c", "axc", true), ("a.c", "a\nc", false),
    ("(?s)a.c", "a\nc", true), ("a*", "aaaa", true), ("a+", "", false), ("a?b", "b", true),
    ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true),
    ("a{2,3}", "aaaa", false),
    ("a{0}b", "b", true), ("a*?b", "aab", true), ("(ab)+", "ababab", true),
    ("(?:ab)+c", "ababc", true),
    ("(?<name>a)b", "ab", true), ("[abc]+", "cab", true), ("[^abc]", "d", true),
    ("[^abc]", "a", false),
    ("[a-f0-9]+", "0be", true), ("[]a]+", "a]", true), ("[a-]+", "a-", true),
    ("[a\\-z]+", "-az", true),
    ("[a-z&&[^aeiou]]+", "xyz", true), ("[a-z&&[^aeiou]]+", "xay", false),
    ("[a-z--[aeiou]]+", "xyz", true),
    ("[[a-z]-[aeiou]]+", "xyz", true), ("[[a-z]-[aeiou]]", "a", false),
    ("[[a-z]-[aeiou]]", "-", false), ("[[a-z]&[aeiou]]", "e", true),
    ("[[a-z]&[aeiou]]", "b", false), ("[[a-z]&[aeiou]]", "&", false),
    ("[[a-z]-[aeiou]u]", "u", true), ("[\\p{L}-[a]]", "a", false), ("[[:alpha:]-[a]]", "b", true),
    ("[a-z-[b]]+", "b-c", true), ("[\\d-[5]]+", "5-6", true), ("[[a]-]+", "a-", true),
    ("[[a-z]&&[a-m]--[c]]", "c", false), ("[[a-z]--[b]c&&[b]]", "b", false),
    ("[[a-c][x-z]]+", "axbz", true), ("[[:alpha:]]+", "aé", true),
    ("[[:^digit:]]", "1", false), ("\\d+", "0123", true), ("\\d", "٣", true), ("\\D", "a", true),
    ("\\w+", "a_1é", true), ("\\W", " ", true), ("\\s", "\u{a0}", true), ("\\S", "x", true),
    ("\\h\\v", "\t\n", true), ("\\p{Lu}\\p{Ll}+", "Fido", true), ("\\P{L}", "1", true),
    ("\\p{Letter}", "é", true), ("\\p{gc=Nd}", "5", true), ("\\p{Alphabetic}+", "ab", true),
    ("\\t\\n\\x41\\x{1F415}\\u00e9\\U0001F415\\0101", "\t\nA🐕é🐕A", true),
    ("\\Qa.b*\\E+", "a.b***", true), ("\\Qa.b*\\E+", "a.b*a.b*", false), ("a(?#x)+", "aa", true),
    ("a\\Q\\E+", "aa", true), ("\\Q(a|\\E?", "(a", true), ("\\Q(a|\\Eb", "(a|b", true),
    ("\\.\\*\\?", ".*?", true), ("^abc$", "abc", true),
    ("a^b", "ab", false), ("\\Aab\\z", "ab", true), ("(?m)a$\\n^b", "a\nb", true),
    ("a$\\n", "a\n", true),
    ("a$\\nb", "a\nb", false), ("\\bcat\\b dog", "cat dog", true), ("ca\\bt", "cat", false),
    ("c\\Bat", "cat", true), ("(?i)fido", "FIDO", true), ("(?i)[a-f]+", "ABC", true),
    ("(?i:a)b", "Ab", true), ("(?i:a)b", "AB", false), ("a(?i)b|c", "aB", true),
    ("a(?-i)b", "aB", false),
    ("((?i)a)b", "AB", false), ("(?i)É", "é", true), ("(?i)[^a]", "A", false),
    ("(?#note)a", "a", true), ("(?i)[A-Z]", "ı", false), ("(?i)[A-Z]", "\u{212A}", true),
    ("[[A-Z]&[:^lower:]]+", "BZ", true), ("[[A-Z]&[:^lower:]]", "&", false),
    ("[[a-z]-[:lower:]]", "-", false), ("[b&[:lower:]]", "&", true),
    ("[[a-z]-[b]\\w]", "c", false), ("[[a-z]-[b]-]", "-", false), ("[[a-z]-[b]-c]", "c", true),
    ("(?i)i", "ı", false), ("(?i)ß", "ẞ", true), ("(?i)[ß]", "ẞ", true), ("(?i)ẞ+", "ßẞ", true),
    ("(?i)straße", "STRASSE", true), ("(?i)STRASSE", "straße", true), ("(?i)s", "ß", false),
    ("(?i)as?s", "aß", false), ("(?i)[ß]", "ss", false), ("(?i)ß{2}", "ssẞ", true),
    ("(?i)\\p{Lu}+", "aB", true), ("(?i)\\P{Lu}", "a", false), ("(?i)[\\p{Lu}]", "a", true),
    ("(?i)[^\\p{Lu}]", "a", false), ("(?i)[[a-z]-[AEIOU]]", "e", false),
    ("(?i)[[:upper:]]", "a", true), ("(?i)\\p{Lu}", "1", false), ("(?i)ﬀ", "FF", true),
    ("日+", "日日", true), (".", "🐕", true), ("(a*)*", "aaa", true), ("(a|b)*c", "ababc", true),
    ("(|a)+", "aa", true), ("x{0,0}", "", true), ("[\\d\\-]+", "1-2", true),
    ("[\\b]", "\u{8}", true),
    ("}", "}", true), ("]", "]", true), ("\\p{Sc}", "€", true), ("[€-₿]", "€", true),
    ("[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}", "SW1A 1AA", true),
    ("[[k]&[a-z][:alpha:]]", "B", true), ("[[k]-[k][:alpha:]]", "k", true),
    ("[[k]&[a-z]\\d]", "5", false), ("[[:alpha:]----b]", "c", true),
    ("[[:alpha:]----b]", "B", false), ("[[:alpha:]---b]", "B", true),
    ("[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}", "someone@example.com", true),
    ("[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}", "someone@example", false),
    ("[0-9]{3}-[0-9]{4}", "555-1234", true), ("(\\d{1,3}\\.){3}\\d{1,3}", "192.168.0.1", true),
  ])
  func `a whole text matches a pattern, or does not`(
    pattern: String, text: String, answer: Bool
  ) throws {
    #expect(try RegularExpression(pattern).matches(text) == answer)
  }

  @Test(arguments: [
    ("fido", "FIDO", "c", true),
    ("fido", "Fidó", "d", false),
    ("fido", "Fidó", "cd", true),
    ("café?", "cafe", "d", true), ("..", "か゚", "d", true),
    (".", "각", "d", true), ("Fido", "FIDO", "n", false),
  ])
  func `options apply to patterns`(
    pattern: String, text: String, options letters: String, answer: Bool
  ) throws {
    #expect(try RegularExpression(pattern, TextOptions(letters)).matches(text) == answer)
  }

  @Test(arguments: [
    ("(a", 0, "this group is never closed"), ("a)", 1, "there is no group that this closes"),
    ("[a", 0, "this set is never closed"), ("*a", 0, "there is nothing to repeat before this"),
    ("a**", 2, "there is nothing to repeat before this"), ("a{", 2, "a number was expected"),
    ("a{1", 3, "a number, a comma or } was expected"),
    ("a{3,1}", 1, "the bounds are the wrong way round"),
    ("{", 0, "a literal { has to be written \\{"), ("a\\", 1, "nothing follows the last backslash"),
    ("\\y", 0, "this letter means nothing after a backslash"),
    ("[z-a]", 2, "this range is the wrong way round"),
    ("\\x{110000}", 0, "there is no such scalar"), ("\\u12", 4, "a hexadecimal digit was expected"),
    ("(?#a", 0, "this comment is never closed"), ("a{9999999}", 2, "the number is too large"),
    ("\\p{L", 0, "this name is never closed"), ("(?q)", 2, "a flag, : or ) was expected"),
  ])
  func `an invalid pattern is refused with the offset of the mistake`(
    pattern: String, offset: Int, reason: String
  ) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
    #expect(error?.isUnsupported == false)
  }

  @Test(arguments: [
    "(a)\\1", "\\k<a>", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "a*+", "a++", "a{2}+",
    "(?x)a", "\\G",
    "\\X", "\\R", "\\N{DOG}", "\\p{Greek}", "((a{1000}){1000}){1000}", "(){1000}{1000}",
    "((){99999}){99999}",
  ])
  func `a pattern that would take more than linear time is refused`(pattern: String) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error?.isUnsupported == true || pattern == "(){1000}{1000}")
  }

  @Test func `a range that begins with & is refused`() {
    // In ICU it begins at the scalar before.
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression("[a&-z]") }
    #expect(error?.isUnsupported == true && error?.offset == 2)
  }

  @Test func `an error states pattern, position and reason`() {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression("ab(c") }
    #expect(
      error?.description
        == "The pattern \"ab(c\" is wrong at character 3: this group is never closed.")
  }

  @Test func `random patterns match as ICU's do`() throws {
    let seed = SeededGenerator.seed()
    var patterns = RandomPattern(random: SeededGenerator(seed: seed))
    var (taken, refused, matched) = (0, 0, 0)
    for _ in 0..<3_000 {
      let pattern = patterns.pattern(depth: 3)
      var options: NSRegularExpression.Options = [.anchorsMatchLines, .dotMatchesLineSeparators]
      let ignoresCase = Bool.random(using: &patterns.random)
      if ignoresCase { options.insert(.caseInsensitive) }
      guard let icu = try? NSRegularExpression(pattern: "(?:\(pattern))\\z", options: options)
      else { continue }
      let ours = try? RegularExpression(
        pattern, ignoresCase ? .caseInsensitive : [], hasLines: true)
      taken += 1
      guard let ours else {
        refused += 1
        continue
      }
      for _ in 0..<8 {
        let text = patterns.text()
        let whole = NSRange(location: 0, length: (text as NSString).length)
        let answer = icu.firstMatch(in: text, options: .anchored, range: whole)?.range == whole
        matched += answer ? 1 : 0
        try #require(
          ours.matches(text) == answer,
          "\(pattern) on \(text.debugDescription), [c] \(ignoresCase), SEED=\(seed)")
      }
    }
    // ICU reads a range that ends with a property, `[a-\\p{Lu}]`, as one that ends with p.
    #expect(
      taken > 2_000 && refused * 20 < taken && matched > 500, "\(taken) \(refused) \(matched)")
  }

  // Each would take a backtracking matcher longer than anyone waits.
  @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*)(.*)(.*)(.*)(.*)b", "(a?){500}a{500}b"])
  func `no pattern hangs`(pattern: String) throws {
    let text = String(repeating: "a", count: 1_000)
    #expect(try RegularExpression(pattern).matches(text) == false)
  }

  @Test func `deep nesting is read or refused`() throws {
    let deep = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    #expect(throws: RegularExpressionError.self) { try RegularExpression(deep) }
    #expect(throws: RegularExpressionError.self) {
      try RegularExpression(String(repeating: "[", count: 100_000))
    }
    let nested = String(repeating: "(", count: 150) + "a" + String(repeating: ")", count: 150)
    #expect(try RegularExpression(nested).matches("a"))
  }

  @Test func `any text is read or refused`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let signs = Array("ab()[]{}|*+?.\\^$-&,:0129dDwpPQEuxi<>=!#é\u{301}🐕 ").map(String.init)
    for _ in 0..<5_000 {
      let pattern = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        signs.randomElement(using: &random)!
      }.joined()
      do {
        _ = try RegularExpression(pattern).matches("ab12é-")
      } catch {
        #expect(
          (0...pattern.unicodeScalars.count).contains(error.offset), "\(pattern), seed \(seed)")
      }
    }
  }

  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `random patterns match as Python's do`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    func pattern(_ depth: Int) -> String {
      switch Int.random(in: 0...(depth > 0 ? 9 : 3), using: &random) {
      case 0...1: return ["a", "b", "c"].randomElement(using: &random)!
      case 2: return [".", "[ab]", "[^a]", "\\w", "\\d"].randomElement(using: &random)!
      case 3: return "c"
      case 4...5: return pattern(depth - 1) + pattern(depth - 1)
      case 6: return "(" + pattern(depth - 1) + "|" + pattern(depth - 1) + ")"
      default:
        let times = ["*", "+", "?", "{2}", "{1,3}", "*?", "+?", "{0,2}"]
        return "(?:" + pattern(depth - 1) + ")" + times.randomElement(using: &random)!
      }
    }
    let cases = (0..<1_500).map { _ in
      let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        ["a", "b", "c", "1"].randomElement(using: &random)!
      }.joined()
      return (pattern(4), text)
    }
    let script = """
      import re, sys
      for line in sys.stdin:
          pattern, text = line.rstrip("\\n").split(" ")
          print(1 if re.fullmatch(pattern, text) else 0)
      """
    let answers = try Python.run(script, lines: cases.map { "\($0) \($1)" }).lines
    try #require(answers.count == cases.count)
    for ((pattern, text), answer) in zip(cases, answers) {
      #expect(
        try RegularExpression(pattern).matches(text) == (answer == "1"),
        "\(pattern) on \(text), seed \(seed)")
    }
  }

  @Test func `a set may have many members after a nested one`() throws {
    let pattern = "[[a-z]-[b]" + String(repeating: "\\d", count: 20_000) + "]"
    let expression = try RegularExpression(pattern)
    #expect(expression.matches("a") && !expression.matches("b") && !expression.matches("5"))
    #expect(try RegularExpression("[[a-z]&[aeiou][xyz]\\d]").matches("x"))
  }
}
