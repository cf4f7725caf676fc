import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct ValidationTests {
  @Test(arguments: Stack.allTypes)
  func `a walk without a date and a dog is refused, with both reasons`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let walk = Walk(context: stack.context)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.failures.map(\.property) == ["date", "dog"])
    #expect(error?.failures.allSatisfy { $0.reason == .missingValue } == true)
    #expect(error?.failures.allSatisfy { $0.objectID == walk.objectID } == true)
    #expect(error?.description == "New Walk: date has no value.\nNew Walk: dog has no value.")
  }

  @Test(arguments: Stack.allTypes)
  func `failures of several objects are reported together`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    fido.walks[0].dog = nil
    _ = Dog(context: stack.context)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(
      error.map { Set($0.failures.map(\.property)) } == ["nameKey", "dog"])
  }

  @Test(arguments: Stack.allTypes)
  func `nothing is saved, and all changes are kept`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    fido.name = "Rex"
    let walk = Walk(context: stack.context)
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(try stack.reread(Dog.self).map(\.name) == ["Fido"])
    #expect(stack.context.updatedObjects == [fido] && stack.context.insertedObjects == [walk])
    walk.date = Date(timeIntervalSinceReferenceDate: 0)
    walk.dog = fido
    try stack.context.save()
    #expect(try stack.reread(Walk.self).map { $0.dog?.name } == ["Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `a member left without its required owner is refused`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let number = fido.walks[0].primaryKey
    fido.removeFromWalks(at: 0)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "Walk \(number): dog has no value.")
  }

  @Test(arguments: Stack.allTypes)
  func `an empty text is a value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    dog.name = ""
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].name == "")
  }

  @Test(arguments: Stack.allTypes)
  func `deleted objects are not validated`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let walk = fido.walks[0]
    walk.dog = nil
    stack.context.delete(walk)
    stack.context.delete(Walk(context: stack.context))
    try stack.context.save()
    #expect(try stack.reread(Walk.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `NaN is no value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    fido.walks[0].date = Date(timeIntervalSinceReferenceDate: .nan)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "Walk \(fido.walks[0].primaryKey): date has no value.")
  }

  @Test(arguments: Stack.allTypes)
  func `a to-many with a minimum must have members`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Pack",
        properties: [
          .relationship(
            .init(
              name: "dogs", destinationEntityName: "Dog", inverseName: "pack", minCount: 1,
              maxCount: 0))
        ]),
      EntityDescription(
        name: "Dog",
        properties: [
          .relationship(
            .init(
              name: "pack", destinationEntityName: "Pack", inverseName: "dogs", isOptional: true))
        ]),
    ])
    let stack = try Stack(type, model: model)
    let pack = ManagedObject(entity: model.entitiesByName["Pack"]!, insertInto: stack.context)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "New Pack: dogs has no value.")
    let dog = ManagedObject(entity: model.entitiesByName["Dog"]!, insertInto: stack.context)
    let dogs = PropertySlot(-1, "dogs")
    pack.add(dog, to: dogs)
    try stack.context.save()
    pack.remove(dog, from: dogs)
    #expect(throws: ValidationError.self) { try stack.context.save() }
    stack.context.delete(pack)
    try stack.context.save()
  }
}
