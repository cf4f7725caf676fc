import Foundation
import ManagedObjects
import Testing

/// Keys and values that the model does not have trap, with a message that says which.
@Suite struct KeyMistakeTests {
  @Test func `a key that is not a property`() async {
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      _ = Sample(context: stack.context).value(forKey: "size")
    }
    #expect(said("Sample has no property size in this model.", read))
    let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setValue(1, forKey: "size")
    }
    #expect(said("Sample has no property size in this model.", written))
    let along = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.next = sample
      _ = sample.value(forKeyPath: "next.size")
    }
    #expect(said("Sample has no property size in this model.", along))
  }

  @Test func `a value of another type`() async {
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setValue("seven", forKey: "short")
    }
    #expect(said("Sample.short must be of the type Integer 16, but was set to String.", text))
    let large = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setValue(70_000, forKey: "short")
    }
    #expect(said("Sample.short must be of the type Integer 16", large))
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setValue("Fido", forKey: "next")
    }
    #expect(said("Sample.next must be a managed object, but was set to String.", object))
    let members = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack.kennel(.inMemory)
      Person(context: stack.context).setValue(7, forKey: "pets")
    }
    #expect(said("Person.pets must be a set of managed objects, but was set to Int.", members))
  }

  @Test func `a primitive value of another type`() async {
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setPrimitiveValue(Date.now, forKey: "text")
    }
    #expect(said("Sample.text must be of the type String, but was set to Date.", text))
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setPrimitiveValue(7, forKey: "next")
    }
    #expect(said("Sample.next must be a managed object, but was set to Int.", object))
  }

  @Test func `an accessor of another type`() async {
    let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setOptionalValue("long", at: PropertySlot(-1, "short"))
    }
    #expect(said("Sample.short is of the type Integer 16, but was used as String.", written))
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.real = 7
      let text: String = sample.requiredValue(at: PropertySlot(-1, "real"))
      print(text)
    }
    #expect(said("Sample.real is of the type Double, but was used as String.", read))
    let required = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setRequiredValue(true, at: PropertySlot(-1, "date"))
    }
    #expect(said("Sample.date is of the type Date, but was used as Bool.", required))
  }

  @Test func `an accessor of another kind of property`() async {
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.long = 7
      let other: Sample? = sample.toOne(at: PropertySlot(-1, "long"))
      print(other == nil)
    }
    #expect(said("Sample.long is not a to-one relationship.", object))
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.next = sample
      let key: Int64? = sample.optionalValue(at: PropertySlot(-1, "next"))
      print(key == nil)
    }
    #expect(said("Sample.next is not an attribute.", value))
    let bytes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.long = 7
      let data: Data? = sample.transformableValue(at: PropertySlot(-1, "long"))
      print(data == nil)
    }
    #expect(said("Sample.long is not a transformable attribute.", bytes))
    let members = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let members: Set<Sample> = Sample(context: stack.context)
        .unorderedToMany(at: PropertySlot(-1, "next"))
      print(members.count)
    }
    #expect(said("Sample has no to-many next in this model.", members))
  }

  @Test func `a path that cannot be followed`() async {
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      let sample = Sample(context: stack.context)
      sample.text = "Fido"
      _ = sample.value(forKeyPath: "text.length")
    }
    #expect(said("A key path cannot read length of a value of the type String.", value))
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack.kennel(.inMemory)
      _ = Person(context: stack.context).value(forKeyPath: "pets.@median.lives")
    }
    #expect(said("There is no key path operator @median.", operation))
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack.kennel(.inMemory)
      let person = Person(context: stack.context)
      let cat = Cat(context: stack.context)
      cat.name = "Tom"
      person.pets = [cat]
      _ = person.value(forKeyPath: "pets.@sum.name")
    }
    #expect(said("Values of the type String cannot be added.", text))
  }

  @Test func `a to-many accessed as another kind of property`() async {
    let ordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack.kennel(.inMemory)
      _ = Person(context: stack.context).mutableOrderedSetValue(forKey: "pets")
    }
    #expect(said("Person.pets is not ordered: use mutableSetValue(forKey:).", ordered))
    let unordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Journal.model)
      _ = Journal.Book(context: stack.context).mutableSetValue(forKey: "entries")
    }
    #expect(said("Book.entries is ordered: use mutableOrderedSetValue(forKey:).", unordered))
    let quiet = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Journal.model)
      Journal.Book(context: stack.context).setPrimitiveValue(nil, forKey: "entries")
    }
    #expect(said("Book.entries is a to-many: set it with setValue(_:forKey:).", quiet))
  }
}
