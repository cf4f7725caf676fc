import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Fetches whose predicates reach changed objects over long key paths.
@Suite struct UnsavedPathsTests {
  // Over ten relationships more paths lead from a dog than can be followed one by one: 25^5.
  @Test(.timeLimit(.minutes(5)), arguments: Stack.allTypes)
  func `long paths over to-manys are followed back step by step`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    for number in 0..<20 { try stack.dog("Dog \(number)", minutes: Array(1...25)) }
    var request = Dog.fetchRequest()
    request.predicate = try FetchPredicate(
      format: "ANY walks\(String(repeating: ".dog.walks", count: 5)).note == 'unsaved'")
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    dogs[3].walks[7].note = "unsaved"
    #expect(try context.fetch(request).map(\.name) == ["Dog 3"])
    dogs[5].walks[2].note = "other"
    dogs[9].walks[2].dog = dogs[3]
    #expect(try context.count(for: request) == 1)
    context.delete(dogs[3].walks[7])
    #expect(try context.fetch(request).isEmpty)
    request.predicate = try FetchPredicate(
      format: "NONE walks\(String(repeating: ".dog.walks", count: 5)).note == 'other'")
    #expect(try context.count(for: request) == 19)
  }

  @Test(arguments: Stack.allTypes)
  func `an object changed and then deleted is evaluated as changed`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let rival = stack.anotherContext()
    let same = try #require(try rival.existingObject(with: dog.objectID) as? Dog)
    dog.targetMinutes = 30
    stack.context.delete(dog)
    // A walk that the deletion has not reached: the save will.
    same.addToWalks(stack.walk(minutes: 20, in: rival))
    try rival.save()
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "dog.targetMinutes > 20")
    let all = try stack.context.fetch(Walk.fetchRequest())
    #expect(try all.count == 1 && all.filtered(using: #require(request.predicate)) == all)
    #expect(try stack.context.fetch(request) == all)
  }

  @Test func `each step is one statement`() throws {
    let stack = try Stack()
    for number in 0..<20 { try stack.dog("Dog \(number)", minutes: Array(1...25)) }
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    dogs[3].walks[7].note = "unsaved"
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(
      format: "ANY dog.walks.note == 'unsaved' AND dog.name BEGINSWITH 'Dog'")
    var found = 0
    let plans = try stack.plans { found = try context.fetch(request).count }
    #expect(found == 25)
    // Back to the dog, to its walks, and the fetch; none of the statements scans a table.
    #expect(plans.count == 3, "\(plans)")
    #expect(
      plans.prefix(2).allSatisfy { !$0.steps.contains { $0.contains("SCAN t0") } }, "\(plans)")
  }

  // MARK: Many-to-many

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      properties: [
        .attribute(.init(name: "name", type: .string, isOptional: true)),
        .relationship(
          .init(
            name: "friends", destinationEntityName: "Person", inverseName: "friendOf",
            isOptional: true, maxCount: 0)),
        .relationship(
          .init(
            name: "friendOf", destinationEntityName: "Person", inverseName: "friends",
            isOptional: true, maxCount: 0)),
      ])
  ])

  @Test(.timeLimit(.minutes(5)), arguments: Stack.allTypes)
  func `so are those over many-to-many relationships`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let people = (0..<60).map { number in
      let person = ManagedObject(entity: Self.model.entities[0], insertInto: stack.context)
      person.setValue("\(number)", forKey: "name")
      return person
    }
    // Each knows the next eight; the last eight know no others.
    for number in 0..<52 {
      people[number].setValue(Set(people[(number + 1)...(number + 8)]), forKey: "friends")
    }
    try stack.context.save()
    people[59].setValue("last", forKey: "name")
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = try FetchPredicate(
      format: "ANY friends\(String(repeating: ".friends", count: 9)).name == 'last'")
    // Only the 51st knows the last one; nine steps of one to eight lead to it.
    #expect(try stack.context.count(for: request) == 43)
  }
}
