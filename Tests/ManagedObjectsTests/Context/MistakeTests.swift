import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Programming mistakes trap, with a message that says which.
@Suite struct MistakeTests {
  // MARK: Contexts and entities

  @Test func `an entity that the model lacks`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = try stack.context.fetch(FetchRequest<ManagedObject>(entityName: "Cat"))
    }
    #expect(said("No store of this context has an entity Cat.", result))
  }

  @Test func `a class that no entity has`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = Sample(context: stack.context)
    }
    #expect(said("No entity of this context, or more than one, has the class Sample.", result))
  }

  @Test func `an object of an abstract entity`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      _ = Animal(context: stack.context)
    }
    #expect(said("Animal is abstract: it has no objects.", result))
  }

  @Test func `an object of another class than its entity's`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      _ = Hound(entity: Kennel.cat, insertInto: stack.context)
    }
    #expect(said("The objects of Cat are of the class Cat, not Hound.", result))
  }

  @Test func `a context on a coordinator without a store`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      _ = Dog(context: context)
    }
    #expect(said("The coordinator has no store yet: add one before using a context.", result))
  }

  @Test func `an object whose context is gone`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let id = try stack.dog("Fido").objectID
      let fault = stack.anotherContext().object(with: id) as? Dog
      _ = fault?.name
    }
    #expect(
      said("The context of this Dog no longer exists: keep it as long as its objects.", result))
  }

  @Test func `a temporary ID of another context`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = stack.anotherContext().object(with: stack.walk(minutes: 1).objectID)
    }
    #expect(said("A temporary ID is valid only in the context that assigned it.", result))
  }

  @Test func `an ID of another store`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (stack, other) = (try Stack(.inMemory), try Stack(.inMemory))
      _ = stack.context.object(with: try other.dog("Fido").objectID)
    }
    #expect(said("belongs to a store that this context does not have.", result))
  }

  @Test func `deleting an object of another context`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      stack.anotherContext().delete(try stack.dog("Fido"))
    }
    #expect(said("The object belongs to another context.", result))
  }

  @Test func `finding by an attribute that is not unique`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = try stack.context.findOrCreate(Dog.self, where: "name", equals: .string("Fido"))
    }
    #expect(said("Dog.name is not a uniqueness constraint.", result))
  }

  // MARK: Values

  @Test func `reading a required attribute that was not set`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = Walk(context: stack.context).date
    }
    #expect(said("Walk.date is required and has no value: it was not set yet", result))
  }

  @Test func `reading a required attribute that was set to nil by name`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      dog.setValue(nil, forKey: "name")
      print(dog.name)
    }
    #expect(said("Dog.name is required, but was set to nil by its key.", result))
  }

  @Test func `a property that the model lacks`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let _: String? = Sample(context: stack.context).optionalValue(at: PropertySlot(-1, "size"))
    }
    #expect(said("Sample has no property size in this model.", result))
  }

  @Test func `the slot number of another property`() async {
    let attribute = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let _: Int32? = try stack.dog("Fido").optionalValue(at: PropertySlot(0, "targetMinutes"))
    }
    #expect(
      said(
        "targetMinutes is not in slot 0: only code that momc generates should pass numbers.",
        attribute))
    let toOne = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      let _: Dog? = stack.walk(minutes: 1).toOne(at: PropertySlot(99, "dog"))
    }
    #expect(
      said("dog is not in slot 99: only code that momc generates should pass numbers.", toOne))
    let toMany = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.dog("Fido").orderedToMany(at: PropertySlot(0, "walk")) as OrderedSet<Walk>
    }
    #expect(
      said("walk is not to-many 0: only code that momc generates should pass numbers.", toMany))
  }

  @Test func `a to-many that the model lacks`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      let _: Set<Animal> = Person(context: stack.context)
        .unorderedToMany(at: PropertySlot(-1, "name"))
    }
    #expect(said("Person has no to-many name in this model.", result))
  }

  @Test func `changing an object whose deletion was saved`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      stack.context.delete(dog)
      try stack.context.save()
      dog.name = "Rex"
    }
    #expect(said("This Dog was deleted and cannot be changed.", result))
  }

  @Test func `a default whose type is not its attribute's`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let model = ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [.attribute(.init(name: "age", type: .integer16, defaultValue: .string("1")))]
        )
      ])
      _ = try Stack(.inMemory, model: model)
    }
    #expect(said("is not of the type that the model says.", result))
  }

  // Not a programming mistake, but an accessor cannot throw, and must not make values up.
  // MARK: Relationships

  @Test func `an object of another context in a to-one`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let context = stack.anotherContext()
      stack.walk(minutes: 1, in: context).dog = try stack.dog("Fido")
      try context.save()
    }
    #expect(said("Walk.dog cannot refer to an object of another context.", result))
  }

  @Test func `an object of another entity in a to-one`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      let context = stack.context
      Person(context: context).setToOne(Person(context: context), at: PropertySlot(-1, "licence"))
    }
    #expect(said("Person.licence cannot refer to an object of the entity Person.", result))
  }

  @Test func `a deleted object in a to-one`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      stack.context.delete(dog)
      stack.walk(minutes: 1).dog = dog
    }
    #expect(said("Walk.dog cannot refer to a deleted object.", result))
  }

  @Test func `an attribute used as a to-one`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      let person = Person(context: stack.context)
      person.setToOne(person, at: PropertySlot(-1, "name"))
    }
    #expect(said("Person.name is not a to-one relationship.", result))
  }

  @Test func `a to-one read as another class`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      let person = Person(context: stack.context)
      person.favourite = Cat(context: stack.context)
      let _: Hound? = person.toOne(at: PropertySlot(-1, "favourite"))
    }
    #expect(said("Person.favourite holds a Cat, not a Hound.", result))
  }

  @Test func `a to-many read as another class`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack.kennel(.inMemory)
      let person = Person(context: stack.context)
      person.pets = [Cat(context: stack.context)]
      let _: Set<Hound> = person.unorderedToMany(at: Person.pets)
    }
    #expect(said("Person.pets contains objects that are not of the class Hound.", result))
  }

  @Test func `an index outside a list`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido", minutes: [10]).insertIntoWalks(stack.walk(minutes: 20), at: 2)
    }
    #expect(said("Index 2 is outside Dog.walks.", result))
  }

  @Test func `more indexes than objects`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido", minutes: [10])
      dog.insertIntoWalks([stack.walk(minutes: 20)], at: RangeSet(0..<2))
    }
    #expect(said("There must be as many indexes as objects.", result))
    let other = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido", minutes: [10])
      dog.replaceWalks(at: RangeSet(0..<1), with: [])
    }
    #expect(said("There must be as many indexes as objects.", other))
  }
}
