import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Requests that do not fit the model, and the messages about them.
@Suite struct PredicateMistakeTests {
  @Test(
    arguments: [
      ("date.year == 2025", "Walk.date is not a relationship.", "date.year"),
      ("length > 5", "Walk has no property length.", "length"),
      (
        "note.length > 5",
        "Walk.note is not a relationship. For its length, write length:(note).", "note.length"
      ),
      (
        "ANY dog.walks.dog.name.length > 5",
        "Dog.name is not a relationship. For its length, write length:(dog.walks.dog.name).",
        "dog.walks.dog.name.length"
      ),
      ("note.length.x > 5", "Walk.note is not a relationship.", "note.length.x"),
      ("dog CONTAINS dog", "CONTAINS takes strings.", "dog"),
      ("dog.age > 5", "Dog has no property age.", "dog.age"),
      ("dog == 1", "dog is an object, 1 is a number.", "dog"),
      ("dog IN {1}", "dog is an object, 1 is a number.", "dog"),
      ("dog.name == 5", "dog.name is a string, 5 is a number.", "dog.name"),
      ("duration == '5'", #"duration is a number, "5" is a string."#, "duration"),
      ("dog.name IN {'a', 5}", "dog.name is a string, 5 is a number.", "dog.name"),
      (
        "date > '2026-01-01'",
        "A date cannot be compared with a string: write CAST(seconds since 2001, \"NSDate\").",
        "date"
      ),
      ("dog < dog", "Objects cannot be ordered: compare them with == and !=.", "dog"),
      ("duration BEGINSWITH 'x'", "BEGINSWITH takes strings.", "duration"),
      ("note CONTAINS 5", "CONTAINS takes strings.", "note"),
      ("note MATCHES '('", nil, #""(""#),
      ("note == $WHAT", "The variable $WHAT has no value.", "$WHAT"),
      (
        "dog.walks.duration > 5",
        "dog.walks.duration has many values: write ANY or ALL before it, or @count after it.",
        "dog.walks.duration"
      ),
      (
        "ANY duration > 5", "ANY and ALL need a to-many relationship: duration is one value.",
        "duration"
      ),
      ("dog.@count > 5", "@count must follow a to-many relationship.", "dog.@count"),
      ("dog.walks.@sum > 5", "@sum must be followed by an attribute.", "dog.walks.@sum"),
      ("@max > 5", "@max must be followed by an attribute.", "@max"),
      ("max(length) > 5", "Walk has no property length.", "length"),
      ("sum(note) > 5", "note is not a number.", "@sum.note"),
      ("max(dog) == dog", "dog refers to objects, which cannot be ordered.", "@max.dog"),
      ("max(dog.name) == 'x'", "@max must follow a to-many relationship.", "dog.@max.name"),
      ("duration == max(note)", "duration is a number, @max.note is a string.", "duration"),
      ("dog.walks.@sum.note > 5", "note is not a number.", "dog.walks.@sum.note"),
      (
        "dog.walks.@mode.duration > 5", "There is no operator @mode here.",
        "dog.walks.@mode.duration"
      ),
      ("note + 1 > 5", "note is not a valid argument of +.", "note"),
      ("lowercase(duration) == 'x'", "duration is not a valid argument of lowercase:.", "duration"),
      (
        "duration IN 5", "IN needs several values, a to-many relationship, or a string to search.",
        "5"
      ),
      ("duration BETWEEN 5", "BETWEEN takes two values, as in {1, 5}.", "5"),
      (
        "SUBQUERY(dog, $d, TRUEPREDICATE).@count > 5", "SUBQUERY needs a to-many relationship.",
        "dog"
      ),
      ("note[FIRST] == 'x'", "Only a to-many relationship has elements.", "note[FIRST]"),
      (
        "dog.walks[FIRST].dog.walks.duration > 5",
        "dog.walks[FIRST].dog.walks.duration contains another to-many relationship: use SUBQUERY.",
        "dog.walks[FIRST].dog.walks.duration"
      ),
      (
        "ANY dog.walks[FIRST].duration > 5",
        "ANY and ALL need a to-many relationship: dog.walks[FIRST].duration is one value.",
        "dog.walks[FIRST].duration"
      ),
      (
        "TERNARY(note == 'x', 1, 'y') == 1", "1 and \"y\" are of different kinds.",
        "TERNARY(note == \"x\", 1, \"y\")"
      ),
      (
        "TERNARY(note == 'x', dog, dog) == NULL", "TERNARY chooses between values, not objects.",
        "TERNARY(note == \"x\", dog, dog)"
      ),
    ] as [(String, String?, String)])
  func `a predicate that does not fit the model`(format: String, reason: String?, part: String)
    throws
  {
    for type in Stack.allTypes {
      let stack = try Stack(type)
      var request = Walk.fetchRequest()
      request.predicate = try FetchPredicate(format: format)
      let error = try #require(throws: PredicateBindingError.self) {
        try stack.context.fetch(request)
      }
      if let reason { #expect(error.reason == reason) }
      #expect(error.part == part)
      #expect(throws: PredicateBindingError.self) { try stack.context.count(for: request) }
      let walk = Walk(context: stack.context)
      #expect(throws: PredicateBindingError.self) { try request.predicate?.evaluate(with: walk) }
    }
  }

  @Test func `an empty name, and an attribute used as a relationship`() throws {
    let stack = try Stack(.inMemory)
    func reason(_ predicate: FetchPredicate) throws -> String {
      var request = Walk.fetchRequest()
      request.predicate = predicate
      return try #require(throws: PredicateBindingError.self) { try stack.context.fetch(request) }
        .reason
    }
    #expect(try reason(.comparison("", .equal, nil)) == "A key path has at least one name.")
    let dog = Dog(context: stack.context)
    #expect(
      try reason(.relationship("dog.name", isIn: [dog.objectID])).hasPrefix("dog.name is a string"))
  }

  @Test(
    arguments: Stack.allTypes,
    [
      ("dog.age", "Dog has no property age."),
      ("dog.walks.date", "dog.walks.date is not an attribute of Walk."),
      ("length", "Walk has no property length."), ("", "A key path has at least one name."),
    ])
  func `a sort key that the entity lacks`(
    type: PersistentStore.StoreType, mistake: (key: String, reason: String)
  ) throws {
    let stack = try Stack(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "date"), .init(key: mistake.key)]
    let error = try #require(throws: PredicateBindingError.self) {
      try stack.context.fetch(request)
    }
    #expect(error.reason == mistake.reason && error.part == mistake.key)
    #expect(throws: PredicateBindingError.self) { try stack.context.cursor(for: request) }
    #expect(throws: PredicateBindingError.self) { try stack.context.fetchIDs(request) }
  }

  @Test func `an entity whose objects are not of the requested class`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try Stack(.inMemory).context.fetch(FetchRequest<Dog>(entityName: "Walk"))
    }
    #expect(said("The entity Walk has objects that are not of the class Dog.", result))
  }
}
