import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Batch requests that make no sense trap, with a message that says why.
@Suite struct BatchMistakeTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      properties: [
        .attribute(.init(name: "name", type: .string)),
        .toOne("licence", "Licence", back: "person"),
        .toMany("friends", "Person", back: nil),
      ]),
    EntityDescription(name: "Licence", properties: [.toOne("person", "Person", back: "licence")]),
  ])

  @Test func `in a child context`() async {
    let deletion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let child = ManagedObjectContext(parent: try Stack(.inMemory).context)
      _ = try child.execute(BatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
    }
    #expect(
      said(
        "A batch request goes to a store, but this context saves into its parent context.", deletion
      ))
    let update = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let child = ManagedObjectContext(parent: try Stack(.inMemory).context)
      _ = try child.execute(BatchUpdateRequest(entityName: "Dog"))
    }
    #expect(
      said(
        "A batch request goes to a store, but this context saves into its parent context.", update))
    let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let child = ManagedObjectContext(parent: try Stack(.inMemory).context)
      _ = try child.execute(BatchInsertRequest(entityName: "Dog", objects: []))
    }
    #expect(
      said(
        "A batch request goes to a store, but this context saves into its parent context.",
        insertion))
  }

  @Test func `a deletion in an order that no store can use`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "note") { _, _ in .orderedSame }]
      _ = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    }
    #expect(said("A batch request cannot sort by a comparator.", result))
  }

  @Test func `properties that a batch cannot set`() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      _ = try stack.context.execute(
        BatchInsertRequest(entityName: "Person", objects: [["friends": .integer(1)]]))
    }
    #expect(said("Person has no property friends that a batch can set.", unknown))
    let single = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      _ = try stack.context.execute(
        BatchInsertRequest(entityName: "Person", objects: [["licence": .integer(1)]]))
    }
    #expect(said("Person.licence is one-to-one: a batch cannot set it.", single))
    let updated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      var request = BatchUpdateRequest(entityName: "Person")
      request.propertiesToUpdate = ["licence": .integer(1)]
      _ = try stack.context.execute(request)
    }
    #expect(said("Person has no attribute licence to update.", updated))
  }

  @Test func `an update without a value for a required attribute is refused`() throws {
    let stack = try Stack(model: Self.model)
    var request = BatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["name": nil]
    #expect(throws: BatchRequestError.requiredValue("Person.name")) {
      try stack.context.execute(request)
    }
    #expect(
      BatchRequestError.requiredValue("Person.name").description
        == "Person.name is required: it cannot be set to nil.")
  }
}
