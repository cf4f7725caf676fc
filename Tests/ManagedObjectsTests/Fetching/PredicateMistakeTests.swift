import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Programmers' mistakes in requests trap, with a sentence that says which.
@Suite struct PredicateMistakeTests {
  @Test func `a name that the entity lacks`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "dog.age")]
      _ = try Stack(.inMemory).context.fetch(request)
    }
    #expect(said("Dog has no attribute or to-one age.", result))
  }

  @Test func `a key path through an attribute`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var request = Walk.fetchRequest()
      request.predicate = .comparison("date.year", .equal, .integer(2_025))
      _ = try Stack(.inMemory).context.fetch(request)
    }
    #expect(said("Walk.date is no to-one.", result))
  }

  @Test func `a key path without a name`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var request = Walk.fetchRequest()
      request.predicate = .comparison("", .equal, nil)
      _ = try Stack(.inMemory).context.fetch(request)
    }
    #expect(said("A key path has at least one name.", result))
  }

  @Test func `a to-one compared with a value`() async {
    for isIn in [false, true] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [isIn = isIn as Bool] in
        var request = Walk.fetchRequest()
        request.predicate =
          isIn ? .isIn("dog", [.integer(1)]) : .comparison("dog", .equal, .integer(1))
        _ = try Stack(.inMemory).context.fetch(request)
      }
      #expect(said("Walk.dog is a to-one: it is compared by object.", result))
    }
  }

  @Test func `an attribute that is to lead somewhere`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      var request = Walk.fetchRequest()
      request.predicate = .leads("dog.name", to: [Dog(context: stack.context).objectID])
      _ = try stack.context.fetch(request)
    }
    #expect(said("Walk.dog.name is no to-one.", result))
  }

  @Test func `a value of another kind than the attribute's`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var request = Walk.fetchRequest()
      request.predicate = .comparison("dog.name", .equal, .integer(5))
      _ = try Stack(.inMemory).context.fetch(request)
    }
    #expect(said("Walk.dog.name is compared with a value of another kind.", result))
  }

  @Test func `an entity whose objects are not of the class asked for`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try Stack(.inMemory).context.fetch(FetchRequest<Dog>(entityName: "Walk"))
    }
    #expect(said("The entity Walk has objects that are no Dog.", result))
  }
}
