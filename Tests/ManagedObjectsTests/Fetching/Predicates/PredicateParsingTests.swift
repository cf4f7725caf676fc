import Foundation
import ManagedObjects
import Testing

/// The meaning of texts, written beside them as values.
@Suite struct PredicateParsingTests {
  typealias Comparison = FetchPredicate.Comparison

  private func compare(
    _ left: FetchExpression, _ how: FetchPredicate.Operator, _ right: FetchExpression,
    _ modifier: FetchPredicate.Modifier = .direct, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate {
    .compare(Comparison(left, how, right, modifier: modifier, options: options))
  }

  private func whole(_ number: Int64) -> FetchExpression { .constant(.integer(number)) }
  private func text(_ text: String) -> FetchExpression { .constant(.string(text)) }
  private let a = FetchExpression.keyPath("a")

  @Test(
    arguments: [
      ("a = 1", .equal), ("a == 1", .equal), ("a==1", .equal), ("a != 1", .notEqual),
      ("a <> 1", .notEqual), ("a < 1", .lessThan), ("a <= 1", .lessThanOrEqual),
      ("a =< 1", .lessThanOrEqual), ("a > 1", .greaterThan), ("a >= 1", .greaterThanOrEqual),
      ("a => 1", .greaterThanOrEqual), ("a IN 1", .in), ("a contains 1", .contains),
      ("a BeginsWith 1", .beginsWith), ("a endswith 1", .endsWith), ("a LIKE 1", .like),
      ("a MATCHES 1", .matches), ("a\n\tBETWEEN 1", .between),
    ] as [(String, FetchPredicate.Operator)])
  func `operators in every spelling`(format: String, how: FetchPredicate.Operator) throws {
    #expect(try FetchPredicate(format: format) == compare(a, how, whole(1)))
  }

  @Test func `options`() throws {
    #expect(
      try FetchPredicate(format: "a ==[c] 1")
        == compare(a, .equal, whole(1), .direct, .caseInsensitive))
    #expect(
      try FetchPredicate(format: "a LIKE [CD] 1")
        == compare(a, .like, whole(1), .direct, [.caseInsensitive, .diacriticInsensitive]))
    #expect(
      try FetchPredicate(format: "a BEGINSWITH[n]1")
        == compare(a, .beginsWith, whole(1), .direct, .normalized))
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("42", .integer(42)), ("-7", .integer(-7)), ("+7", .integer(7)),
      ("- 7", .integer(-7)), ("0x1F", .integer(31)), ("0b101", .integer(5)), ("0o17", .integer(15)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .double(0x1p63)), ("1.5", .double(1.5)), (".5", .double(0.5)),
      ("5.", .double(5)), ("1e3", .double(1000)), ("9.2E-5", .double(9.2e-5)),
      ("-1.5e+2", .double(-150)), ("TRUE", .boolean(true)), ("yes", .boolean(true)),
      ("False", .boolean(false)), ("NO", .boolean(false)), ("NULL", nil), ("nil", nil),
      ("'it'", .string("it")), ("\"it\"", .string("it")), ("'say \"it\"'", .string("say \"it\"")),
      (#"'it\'s'"#, .string("it's")), (#""a\"b""#, .string("a\"b")),
      (#"'\n\t\r\\'"#, .string("\n\t\r\\")),
      (#"'\u00e9'"#, .string("é")), (#"'\U0001F415'"#, .string("🐕")),
      ("'🐕 %@ $x'", .string("🐕 %@ $x")),
      (#"'\d\*'"#, .string(#"\d\*"#)), ("''", .string("")),
      ("CAST(0, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 0))),
      ("cast(-1.5, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: -1.5))),
      ("CAST('19.99', 'NSDecimalNumber')", .decimal(Decimal(string: "19.99")!)),
      ("CAST('00ff', 'NSData')", .binary(Data([0, 255]))),
      ("CAST(CAST(3, 'NSDate'), 'NSNumber')", .double(3)), ("%%", .string("%")),
    ] as [(String, AttributeValue?)])
  func `literals`(format: String, value: AttributeValue?) throws {
    #expect(try FetchPredicate(format: "a == \(format)") == compare(a, .equal, .constant(value)))
    #expect(try FetchPredicate(format: "\(format) == a") == compare(.constant(value), .equal, a))
  }

  @Test func `arguments replace placeholders`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let predicate = try FetchPredicate(
      format: "%K == %@ AND d > %@ AND n == %@ AND i == %d AND l == %ld AND f == %f AND g == %.s"
        .replacing(".s", with: "s"),
      "dog.name", "Fido", date, nil as String?, 7, Int64(8), 9, "x")
    #expect(
      predicate
        == .all([
          compare(.keyPath("dog.name"), .equal, text("Fido")),
          compare(.keyPath("d"), .greaterThan, .constant(.date(date))),
          compare(.keyPath("n"), .equal, .constant(nil)),
          compare(.keyPath("i"), .equal, whole(7)), compare(.keyPath("l"), .equal, whole(8)),
          compare(.keyPath("f"), .equal, .constant(.double(9))),
          compare(.keyPath("g"), .equal, text("x")),
        ]))
    #expect(
      try FetchPredicate(format: "a IN %@", [1, 2])
        == compare(a, .in, .aggregate([whole(1), whole(2)])))
    #expect(
      try FetchPredicate(format: "%K.@count > %llu", "walks", 2 as UInt64)
        == compare(.keyPath("walks.@count"), .greaterThan, whole(2)))
    #expect(try FetchPredicate(format: "a == '%@'") == compare(a, .equal, text("%@")))
    #expect(
      try FetchPredicate(format: "%K.%K == $w.%K", "dog", "name", "walker")
        == compare(
          .keyPath("dog.name"), .equal, .property(of: .variable("w"), "walker")))
  }

  @Test func `NOT binds tighter than AND, AND tighter than OR`() throws {
    let (x, y, z) = (
      compare(a, .equal, whole(1)), compare(a, .equal, whole(2)), compare(a, .equal, whole(3))
    )
    for (format, meaning) in [
      ("a == 1 OR a == 2 AND a == 3", .any([x, .all([y, z])])),
      ("a == 1 && a == 2 || a == 3", .any([.all([x, y]), z])),
      ("NOT a == 1 AND a == 2", .all([.not(x), y])),
      ("!a == 1 and !(a == 2)", .all([.not(x), .not(y)])),
      ("(a == 1 OR a == 2) AND a == 3", .all([.any([x, y]), z])),
      ("a == 1 AND a == 2 AND a == 3", .all([x, y, z])),
      ("a == 1 AND (a == 2 AND a == 3)", .all([x, .all([y, z])])),
      ("not not ((a == 1))", .not(.not(x))),
      ("TRUEPREDICATE or falsePredicate", .any([.constant(true), .constant(false)])),
      ("a NOT IN {1}", .not(compare(a, .in, .aggregate([whole(1)])))),
      ("a==1 AND(a==2)", .all([x, y])),
    ] as [(String, FetchPredicate)] {
      #expect(try FetchPredicate(format: format) == meaning, "\(format)")
    }
  }

  @Test func `arithmetic`() throws {
    func made(_ function: FetchExpression.Function, _ values: FetchExpression...) -> FetchExpression
    {
      .function(function, values)
    }
    for (format, meaning) in [
      ("1 + 2 * 3", made(.add, whole(1), made(.multiply, whole(2), whole(3)))),
      ("(1 + 2) * 3", made(.multiply, made(.add, whole(1), whole(2)), whole(3))),
      ("1 - 2 - 3", made(.subtract, made(.subtract, whole(1), whole(2)), whole(3))),
      ("2 ** 3 ** 4", made(.power, whole(2), made(.power, whole(3), whole(4)))),
      ("8 / 4 / 2", made(.divide, made(.divide, whole(8), whole(4)), whole(2))),
      ("a-1", made(.subtract, a, whole(1))), ("-a", made(.subtract, whole(0), a)),
      ("a & 1 | 2", made(.bitwiseOr, made(.bitwiseAnd, a, whole(1)), whole(2))),
      ("~a", made(.complement, a)), ("add:to:(a, 1)", made(.add, a, whole(1))),
      ("modulus:by:(a, 2)", made(.modulus, a, whole(2))), ("abs(a)", made(.abs, a)),
      ("ABS:(a)", made(.abs, a)), ("lowercase(a)", made(.lowercase, a)),
      ("uppercase:(a)", made(.uppercase, a)), ("length:(a)", made(.length, a)),
      ("now()", made(.now)), ("CAST(a, 'NSNumber')", made(.toNumber, a)),
    ] as [(String, FetchExpression)] {
      #expect(
        try FetchPredicate(format: "\(format) > 0") == compare(meaning, .greaterThan, whole(0)))
      #expect(try FetchExpression(format: format) == meaning, "\(format)")
    }
    #expect(try FetchPredicate(format: "(key & 1) > 0") == FetchPredicate(format: "key & 1 > 0"))
  }

  @Test func `key paths, variables and subqueries`() throws {
    for (format, meaning) in [
      ("SELF", .evaluatedObject), ("self.name", .keyPath("name")),
      ("#in.#self", .keyPath("in.self")),
      ("walks.@sum.duration", .keyPath("walks.@sum.duration")),
      ("walks[SIZE]", .keyPath("walks.@count")),
      ("walks[FIRST]", .element(of: .keyPath("walks"), .first)),
      ("walks[last].date", .property(of: .element(of: .keyPath("walks"), .last), "date")),
      ("{1}[0]", .element(of: .aggregate([whole(1)]), .index(0))),
      (
        "TERNARY(a == 1, 2, a)", .conditional(compare(a, .equal, whole(1)), whole(2), a)
      ),
      ("sum:(walks.duration)", .keyPath("walks.@sum.duration")),
      ("count(walks)", .keyPath("walks.@count")), ("max(a)", .keyPath("@max.a")),
      ("min('a')", .keyPath("@min.a")), ("average:(SELF.a)", .keyPath("@avg.a")),
      ("@max.a", .keyPath("@max.a")), ("median(walks.a)", .keyPath("walks.@median.a")),
      ("stddev(walks.a)", .keyPath("walks.@stddev.a")),
      ("median({3, 1, 2})", .constant(.integer(2))),
      ("median({1, 2})", .constant(.double(1.5))), ("stddev({1, 3})", .constant(.double(1))),
      ("ln(a)", .function(.naturalLogarithm, [.keyPath("a")])),
      ("log:(a)", .function(.logarithm, [.keyPath("a")])),
      ("exp(a)", .function(.exponential, [.keyPath("a")])),
      ("$name", .variable("name")), ("$w.dog.name", .property(of: .variable("w"), "dog.name")),
      ("größe", .keyPath("größe")), ("size", .keyPath("size")), ("subquery", .keyPath("subquery")),
      ("{1, a, {}}", .aggregate([whole(1), a, .aggregate([])])),
      (
        "SUBQUERY(walks, $w, $w.duration > 1).@count",
        .property(
          of: .subquery(
            .keyPath("walks"), variable: "w",
            compare(.property(of: .variable("w"), "duration"), .greaterThan, whole(1))), "@count")
      ),
    ] as [(String, FetchExpression)] {
      #expect(try FetchExpression(format: format) == meaning, "\(format)")
    }
  }

  @Test func `ANY, SOME, ALL and NONE`() throws {
    let long = compare(.keyPath("walks.long"), .greaterThan, whole(1), .any)
    #expect(try FetchPredicate(format: "ANY walks.long > 1") == long)
    #expect(try FetchPredicate(format: "some walks.long > 1") == long)
    #expect(try FetchPredicate(format: "NONE walks.long > 1") == .not(long))
    #expect(
      try FetchPredicate(format: "ALL walks.long > 1")
        == compare(.keyPath("walks.long"), .greaterThan, whole(1), .all))
  }

  @Test func `variables are substituted`() throws {
    let template = try FetchPredicate(
      format: "a == $X AND $X.name == $Y AND SUBQUERY(walks, $X, $X.b == $Y).@count == 0")
    #expect(
      template.withSubstitutionVariables(["X": 1, "Y": nil])
        == (try FetchPredicate(
          format: "a == 1 AND %@ == NULL AND SUBQUERY(walks, $X, $X.b == NULL).@count == 0",
          FetchExpression.property(of: whole(1), "name"))))
    #expect(template.withSubstitutionVariables([:]) == template)
    let moment = Date(timeIntervalSinceReferenceDate: 1)
    #expect(
      try FetchPredicate(format: "a < now()").at(moment)
        == compare(a, .lessThan, .constant(.date(moment))))
  }
}
