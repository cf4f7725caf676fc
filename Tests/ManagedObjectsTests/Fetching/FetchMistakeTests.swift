import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Fetches that make no sense trap, with a message that says why.
@Suite struct FetchMistakeTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      properties: [
        .value("text", .string), .toOne("next", "Note"),
        .fetchedProperty(
          FetchedPropertyDescription(
            name: "broken",
            fetchRequest: .init(entityName: "Note", predicateFormat: "text =="))),
        .fetchedProperty(
          FetchedPropertyDescription(name: "all", fetchRequest: .init(entityName: "Note"))),
      ])
  ])

  @Test func `a negative offset`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var request = Walk.fetchRequest()
      request.fetchOffset = -1
      _ = try Stack(.inMemory).context.fetch(request)
    }
    #expect(said("The fetch offset cannot be -1.", result))
  }

  @Test func `a cursor of a child, or in an order that no store can use`() async {
    let child = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let child = ManagedObjectContext(parent: try Stack(.inMemory).context)
      _ = try child.cursor(for: Dog.fetchRequest())
    }
    #expect(
      said("A cursor reads from a store, but this context reads from its parent context.", child))
    let order = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "note") { _, _ in .orderedSame }]
      _ = try stack.context.cursor(for: request)
    }
    #expect(said("A cursor cannot sort by a comparator, which needs all objects at once.", order))
    let dictionaries = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      var request = Walk.fetchRequest()
      request.sortDescriptors = [.init(key: "note") { _, _ in .orderedSame }]
      _ = try stack.context.fetchDictionaries(request)
    }
    #expect(said("A comparator sorts objects, not dictionaries.", dictionaries))
  }

  @Test func `objects of a class that the entity does not have`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack.kennel(.inMemory)
      _ = try stack.context.fetch(FetchRequest<Hound>(entityName: "Animal"))
    }
    #expect(said("The entity Animal has objects that are not of the class Hound.", result))
  }

  @Test func `keys that are not relationships`() async {
    let faults = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      _ = try stack.context.fireFaults(forRelationshipNamed: "walks", of: [dog])
    }
    #expect(said("Dog has no to-one walks.", faults))
    let fault = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.dog("Fido").hasFault(forRelationshipNamed: "name")
    }
    #expect(said("Dog has no relationship name.", fault))
    let ids = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.dog("Fido").objectIDs(forRelationshipNamed: "name")
    }
    #expect(said("Dog has no relationship name.", ids))
  }

  @Test func `sections by keys that are not attributes`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido", minutes: [10])
      try FetchedResultsController(
        fetchRequest: Walk.fetchRequest(), managedObjectContext: stack.context,
        sectionNameKeyPath: "dog.size"
      ).performFetch()
    }
    #expect(said("Dog has no property size in this model.", end))
    let way = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido", minutes: [10])
      try FetchedResultsController(
        fetchRequest: Walk.fetchRequest(), managedObjectContext: stack.context,
        sectionNameKeyPath: "note.length"
      ).performFetch()
    }
    #expect(said("Walk has no to-one note.", way))
  }

  @Test func `index paths outside a controller's list`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      let controller = FetchedResultsController(
        fetchRequest: Dog.fetchRequest(), managedObjectContext: stack.context)
      try controller.performFetch()
      _ = controller.object(at: .init(section: 0, item: 3))
    }
    #expect(said("There is no object at 0.3.", result))
  }

  @Test func `fetched properties that are missing or invalid in the model`() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      let _: [ManagedObject] = ManagedObject("Note", in: stack.context).fetchedProperty("lost")
    }
    #expect(said("Note has no fetched property lost in this model.", unknown))
    let broken = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      let _: [ManagedObject] = ManagedObject("Note", in: stack.context).fetchedProperty("broken")
    }
    #expect(said("The predicate of Note.broken cannot be read: ", broken))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.model)
      let _: [Dog] = ManagedObject("Note", in: stack.context).fetchedProperty("all")
    }
    #expect(said("Note.all finds objects that are not of the class Dog.", other))
  }

  @Test func `a predicate for an entity that the model lacks`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try FetchPredicate(format: "name == 'x'").check(entityName: "Cat", in: .dogWalk)
    }
    #expect(said("The model has no entity Cat.", result))
  }

  @Test func `a key path that evaluates a value`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = (\Walk.computed == 1) as FetchPredicate
    }
    #expect(
      said(
        "A predicate's key path reads a property of the model, not of its value.", result))
  }
}

extension Walk {
  /// A number that no model defines.
  fileprivate var computed: Int64 { 7 }
}
