import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Predicates as text, and back.
@Suite struct PredicateFormatTests {
  @Test(arguments: [
    ("a=1 and b<>2", "a == 1 AND b != 2"),
    ("(a = 1 || b = 2) && !(c = 3)", "(a == 1 OR b == 2) AND NOT c == 3"),
    ("not (a = 1 and b = 2)", "NOT (a == 1 AND b == 2)"),
    ("name beginswith[dc] 'f'", #"name BEGINSWITH[cd] "f""#),
    ("none walks.long > 1", "NOT ANY walks.long > 1"),
    ("duration / 60 * (2 + x) > -5", "(duration / 60) * (2 + x) > -5"),
    ("a between {1, 2.0}", "a BETWEEN {1, 2.0}"),
    ("SELF.#in = nil or self == $x", "#in == NULL OR SELF == $x"),
    (#"a = 'it\'s "so"'"#, #"a == "it's \"so\"""#),
    ("cast(5, 'NSDate') < now()", #"CAST(5.0, "NSDate") < now()"#),
    ("lowercase(a) = uppercase:(b)", "lowercase:(a) == uppercase:(b)"),
    (
      "subquery(walks, $w, $w.long > 1 or $w.note = nil).@count > 2",
      "SUBQUERY(walks, $w, $w.long > 1 OR $w.note == NULL).@count > 2"
    ),
    ("TRUEPREDICATE", "TRUEPREDICATE"),
  ])
  func `a predicate is printed as its text`(format: String, printed: String) throws {
    #expect(try FetchPredicate(format: format).predicateFormat == printed)
  }

  @Test func `a composed text keeps the order of substitution`() throws {
    let template = try FetchPredicate(format: "%K like %@+$b+$c", "$single", "b\"")
    #expect(template.predicateFormat == #"$single LIKE ("b\"" + $b) + $c"#)
    #expect(
      template.withSubstitutionVariables(["single": "x", "b": "y", "c": "z"]).predicateFormat
        == #"$single LIKE ("b\"" + "y") + "z""#)
  }

  @Test func `a printed predicate is parsed as an equal one`() throws {
    let seed = SeededGenerator.seed()
    var maker = RandomPredicate(random: SeededGenerator(seed: seed))
    for step in 0..<3_000 {
      let predicate = maker.predicate(depth: 4)
      let format = predicate.predicateFormat
      let read = try #require(
        try? FetchPredicate(format: format), "\(format) at step \(step) of SEED=\(seed)")
      try #require(read == predicate, "\(format) at step \(step) of SEED=\(seed)")
    }
  }

  @Test func `compounds of one and of none print their meaning`() {
    #expect(FetchPredicate.all([]).predicateFormat == "TRUEPREDICATE")
    #expect(FetchPredicate.any([]).predicateFormat == "FALSEPREDICATE")
    #expect(FetchPredicate.all([.comparison("a", .equal, nil)]).predicateFormat == "a == NULL")
  }
}
