import DogWalkModel
import ManagedObjects
import Testing

@Suite struct ParsedPredicateTests {
  /// The caret is at the mistake, and not at an earlier occurrence of the same letters.
  @Test(arguments: [
    ("note == 'length' AND length > 3", 21),
    ("length > 3", 0),
    ("NOT (note == 'a' OR dog.nmae == 'b')", 20),
    ("dog.name == 1", 0),
    ("duration > 1 AND duration < 'x' AND duration == 2", 17),
    ("duration > 1 AND (distance + nmae) > 2", 29),
    ("note == 'dog.walks.lenght' AND ANY dog.walks.lenght > 3", 35),
    ("SUBQUERY(dog.walks, $w, $w.lenght > 3).@count > 2", 27),
    ("note == 'ü' AND lenght > 3", 17),
    ("note\n==  lenght", 9),
  ])
  func `an error reports its position`(format: String, position: Int) throws {
    let parsed = try ParsedPredicate(format: format)
    let error = try #require(throws: PredicateBindingError.self) {
      try parsed.check(entityName: "Walk", in: .dogWalk)
    }
    #expect(error.position == position, "\(error.part)")
    #expect(parsed.predicate == (try FetchPredicate(format: format)))
  }

  @Test func `a valid predicate is no error, and one made in code has no position`() throws {
    try ParsedPredicate(format: "duration > 1800 AND dog.name == 'Fido'")
      .check(entityName: "Walk", in: .dogWalk)
    let error = #expect(throws: PredicateBindingError.self) {
      try FetchPredicate(format: "lenght > 3").check(entityName: "Walk", in: .dogWalk)
    }
    #expect(error?.position == nil)
    #expect(error?.part == "lenght")
  }
}
