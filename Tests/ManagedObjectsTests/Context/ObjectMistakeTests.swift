import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Endless life-cycle methods, and values that cannot be computed, trap with a message.
@Suite struct ObjectMistakeTests {
  private static let transformables = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Wall",
      properties: [
        .attribute(
          .init(
            name: "colour", type: .transformable, isOptional: true,
            valueTransformerName: "ObjectMistakeTransformer")),
        .attribute(
          .init(
            name: "raw", type: .transformable, isOptional: true,
            valueTransformerName: "NobodyRegistersThat")),
        .attribute(
          .init(name: "changed", type: .date, isOptional: true, derivationExpression: "now()")),
      ])
  ])

  private struct Refusing: AttributeDescription.ValueTransformer {
    struct Refusal: Error {}
    func transformedValue(_ value: Int) throws -> Data { throw Refusal() }
    func reverseTransformedValue(_ data: Data) throws -> Int { throw Refusal() }
  }

  @Test func `willSave that always changes something`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Journal.model)
      Journal.Entry(context: stack.context).beforeSave = {
        $0.revision = ($0.revision ?? 0) + 1
      }
      try stack.context.save()
    }
    #expect(said("Entry.willSave changes objects each time it is called: set only", result))
  }

  @Test func `a transformer that fails, returns another type, or is missing`() async {
    let failing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      AttributeDescription.setValueTransformer(Refusing(), forName: "ObjectMistakeTransformer")
      let stack = try Stack(.inMemory, model: Self.transformables)
      ManagedObject("Wall", in: stack.context).setValue(7, forKey: "colour")
    }
    #expect(said("The transformer of Wall.colour failed: Refusal()", failing))
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      AttributeDescription.setValueTransformer(Refusing(), forName: "ObjectMistakeTransformer")
      let stack = try Stack(.inMemory, model: Self.transformables)
      ManagedObject("Wall", in: stack.context).setValue("red", forKey: "colour")
    }
    #expect(said("Refusing transforms a Int, not a String.", other))
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.transformables)
      ManagedObject("Wall", in: stack.context).setValue("red", forKey: "raw")
    }
    #expect(
      said("Wall.raw is a String, and no transformer NobodyRegistersThat is registered", missing))
  }

  @Test func `a value that the store derives`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Self.transformables)
      ManagedObject("Wall", in: stack.context).setValue(Date.now, forKey: "changed")
    }
    #expect(said("Wall.changed is derived: only the store sets it.", result))
  }

  @Test func `a minimum of values that have no order`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.dog("Fido", minutes: [10]).value(forKeyPath: "walks.@min.dog")
    }
    #expect(said("Values of the type Dog cannot be compared.", result))
  }

  @Test func `a missing row, where that is an error`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      let context = stack.anotherContext()
      context.shouldDeleteInaccessibleFaults = false
      let fault = context.object(with: dog.objectID)
      stack.context.delete(dog)
      try stack.context.save()
      _ = fault.value(forKey: "name")
    }
    #expect(said("was deleted, so its values cannot be read.", result))
  }

  @Test func `a validation error without a failure`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      throw ValidationError(failures: [])
    }
    #expect(said("A validation error needs at least one failure.", result))
  }

  @Test func `an index outside a list`() async {
    let removed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido", minutes: [10]).removeFromWalks(at: 1)
    }
    #expect(said("Index 1 is outside Dog.walks.", removed))
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido", minutes: [10]).removeFromWalks(at: RangeSet(0..<3))
    }
    #expect(said("Index 1 is outside Dog.walks.", several))
    let replaced = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      try stack.dog("Fido").replaceWalks(at: 0, with: stack.walk(minutes: 1))
    }
    #expect(said("Index 0 is outside Dog.walks.", replaced))
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.dog("Fido").mutableOrderedSetValue(forKey: "walks")[0]
    }
    #expect(said("Index 0 is outside Dog.walks.", read))
  }
}
