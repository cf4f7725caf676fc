import ManagedObjects
import Testing

/// What is reported about an invalid predicate text, and where.
@Suite struct PredicateFormatErrorTests {
  @Test(arguments: [
    ("", "", "expected a value or a key path"),
    ("duration", "duration", "expected an operator, such as ==, after this value"),
    ("duration >", "duration >", "expected a value or a key path"),
    ("duration > AND a == 1", "duration > ", "expected a value or a key path"),
    ("a == 1 AND", "a == 1 AND", "expected a value or a key path"),
    ("a == 1 b == 2", "a == 1 ", "expected AND, OR or the end"),
    ("a == 1)", "a == 1", "expected AND, OR or the end"),
    ("(a == 1", "(a == 1", "expected an operator or )"),
    ("a == 'Fido", "a == ", "this string is not closed"),
    ("a ==[x] 1", "a ==[", "expected c, d or n"),
    ("a ==[c 1", "a ==[c ", "expected ]"),
    ("a AND b == 1", "a ", "expected an operator, such as ==, after this value"),
    ("a == 1 == 2", "", "expected a value, not a condition"),
    ("a BETWEEN {1, 2, 3}", "a BETWEEN ", "expected two values, as in BETWEEN {1, 5}"),
    ("a IN {1, 2", "a IN {1, 2", "expected a comma or }"),
    ("a == 12km", "a == 12", "a letter follows this number"),
    ("a == 0x", "a == 0x", "expected the number's digits"),
    ("a == 0b12", "a == 0b1", "this is not a digit of the number"),
    ("a == 0xFFFFFFFFFFFFFFFFF", "a == 0x", "this number is too large"),
    ("a == %y", "a == ", "expected %@, %K, %d, %f or the like"),
    ("a == %@", "a == ", "there is no argument for this placeholder"),
    ("a == $", "a == $", "expected the variable's name"),
    ("a == ;", "a == ", "this character is not expected here"),
    ("a == 'Fido' ; DROP", "a == 'Fido' ", "this character is not expected here"),
    ("foo(a) == 1", "", "there is no function foo"),
    ("abs(a, b) == 1", "", "abs takes 1 values"),
    ("sum($a) == 1", "", "sum takes a key path or a list of numbers"),
    ("max('a b') == 1", "", "max takes a key path or a list of numbers"),
    ("mode(walks.a) == 1", "", "there is no function mode"),
    ("a == CAST(b, 'NSString')", "a == CAST(b, ", "only constants can be cast to NSString"),
    ("a == CAST('x', 'NSDate')", "a == CAST(", "this cannot be cast to NSDate"),
    ("SUBQUERY(a, b, c == 1).@count == 1", "SUBQUERY(a, ", "expected a variable, such as $x"),
    ("walks[ALL] == 1", "walks[", "expected FIRST, LAST, SIZE or a number"),
    ("walks[-1] == 1", "walks[", "expected FIRST, LAST, SIZE or a number"),
    ("walks[0 == 1", "walks[0 ", "expected ]"),
    ("FETCH(a, b) == 1", "", "FETCH is not supported: no store can evaluate it"),
    (
      "FUNCTION(a, 'length') == 1", "",
      "FUNCTION is not supported: it calls methods of Objective-C"
    ),
    ("TERNARY(a, 1, 2) == 1", "TERNARY(a", "expected an operator, such as ==, after this value"),
    ("TERNARY(a == 1, 2) == 1", "TERNARY(a == 1, 2", "expected a comma and another value"),
    ("a NOT 1", "a NOT ", "expected IN, CONTAINS, LIKE or the like"),
    ("ANY a", "ANY a", "expected an operator, such as =="),
    (#"a == '\u12'"#, #"a == '\u12"#, "expected 4 hexadecimal digits"),
  ])
  func `a text that is not a predicate`(format: String, before: String, reason: String) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      try FetchPredicate(format: format)
    }
    #expect(error.reason == reason)
    #expect(String(format.utf8.prefix(error.position)) == before)
  }

  @Test func `the mistake has a caret below it`() throws {
    let error = try #require(throws: PredicateFormatError.self) {
      try FetchPredicate(format: "größe > 5\n\tAND name = = 'x'\nOR a == 1")
    }
    #expect(
      error.description == """
        \tAND name = = 'x'
        \t           ^ expected a value or a key path
        """)
  }

  @Test func `arguments of the wrong type or number`() throws {
    func reason(_ format: String, _ arguments: (any FetchPredicateArgument)?...) throws -> String {
      try #require(throws: PredicateFormatError.self) {
        try FetchPredicate(format: format, argumentArray: arguments)
      }.reason
    }
    #expect(try reason("%K == 1", 1) == "the argument for %K must be a string")
    #expect(try reason("a == %d", 1.5) == "the argument for this must be a whole number")
    #expect(try reason("a == %f", "x") == "the argument for this must be a number")
    #expect(try reason("a == %s", 1) == "the argument for this must be a string")
    #expect(try reason("a == %@", 1, 2) == "2 arguments were given for 1 placeholders")
  }

  @Test(arguments: ["(", "NOT ", "!", "-", "~", "{", "abs(", "SUBQUERY(a, $x, ", "a + (", "ANY "])
  func `endless nesting is refused`(opening: String) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      try FetchPredicate(format: String(repeating: opening, count: 20_000))
    }
    #expect(error.reason == "this is nested too deeply")
  }

  @Test func `so is an endless chain`() throws {
    let error = try #require(throws: PredicateFormatError.self) {
      try FetchPredicate(format: "a" + String(repeating: " + 1", count: 20_000) + " == 1")
    }
    #expect(error.reason == "this is nested too deeply")
    let long = Array(repeating: "a == 1", count: 20_000).joined(separator: " AND ")
    guard case .all(let parts) = try FetchPredicate(format: long).kind else { throw error }
    #expect(parts.count == 20_000)
  }
}
