import Testing

@testable import ModelCompiler

@Suite struct `Names in Swift` {
  @Test(arguments: [
    ("DogWalk", "dogWalk"), ("URLStore", "urlStore"), ("URL", "url"), ("V2", "v2"),
    ("My Model-2", "myModel2"), ("dog walk", "dogWalk"), ("2nd", "model2nd"), ("Café", "caf"),
    ("_Private", "model_Private"), ("", "model"), ("X", "x"), ("Default", "default"),
  ])
  func `of models begin with a lower-case letter`(name: String, expected: String) {
    #expect(SwiftName.lowerCamel(name) == expected)
  }

  @Test(arguments: [("default", "`default`"), ("in", "`in`"), ("walks", "walks")])
  func `that are keywords are in backticks`(name: String, expected: String) {
    #expect(SwiftName.escaped(name) == expected)
  }
}

@Suite struct `Names of versions` {
  @Test(arguments: [
    ("Log", "Log 2"), ("Log 2", "Log 10"), ("Log 9", "Log 10"), ("Log 2", "Log 2b"),
    ("A 10", "B 2"), ("Log 02", "Log 2"),
  ])
  func `are sorted by their numbers`(first: String, second: String) {
    #expect(first.precedesByNumber(second))
    #expect(!second.precedesByNumber(first))
    #expect(!first.precedesByNumber(first))
  }
}

@Suite struct `Texts in Swift` {
  @Test(arguments: [
    ("plain", #""plain""#), (#"a "b" \c"#, #""a \"b\" \\c""#), ("1\n2\t3", #""1\n2\t3""#),
    ("\u{0}\u{7F}", #""\u{0}\u{7f}""#), ("\u{202E}abc", #""\u{202e}abc""#), ("🐕é", #""🐕é""#),
    (#"\(name)"#, #""\\(name)""#),
  ])
  func `are literals that evaluate to the same text`(text: String, expected: String) {
    #expect(SwiftLiteral.string(text) == expected)
  }
}
