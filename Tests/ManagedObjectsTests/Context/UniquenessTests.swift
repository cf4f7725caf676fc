import DogWalkModel
import ManagedObjects
import Testing

@Suite struct UniquenessTests {
  /// A dog made without looking whether there is one of its name.
  private func insert(_ name: String, into context: ManagedObjectContext) -> Dog {
    let dog = Dog(context: context)
    (dog.name, dog.nameKey) = (name, name)
    return dog
  }

  @Test(arguments: Stack.allTypes)
  func `a second object with a unique value is refused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    _ = insert("fido", into: stack.context)
    try stack.context.save()
    let dog = insert("fido", into: stack.context)
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Dog has the same nameKey.")
    #expect(dog.isInserted)
    dog.nameKey = "rex"
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.nameKey) == ["fido", "rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `two in one save are refused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    _ = insert("fido", into: stack.context)
    _ = insert("fido", into: stack.context)
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a change to a value that is taken is refused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("fido")
    let rex = try stack.dog("rex")
    rex.nameKey = "fido"
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try stack.reread(Dog.self).map(\.nameKey) == ["fido", "rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `a value passes from a deleted object to a new one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    stack.context.delete(try stack.dog("fido"))
    _ = insert("fido", into: stack.context)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.objectID.primaryKey) == [2])
  }

  @Test(arguments: Stack.allTypes)
  func `a value passes from a changed object to a new one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("fido")
    _ = insert("fido", into: stack.context)
    dog.nameKey = "fido the elder"
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.nameKey) == ["fido the elder", "fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `any number may have no value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    for _ in 0..<3 { _ = Hound(context: stack.context) }
    try stack.context.save()
    #expect(try stack.reread(Hound.self).count == 3)
  }

  @Test(arguments: Stack.allTypes)
  func `several attributes are unique together`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Seat",
        properties: [
          .attribute(.init(name: "letter", type: .string, isOptional: true)),
          .attribute(.init(name: "number", type: .integer16, isOptional: true)),
        ], uniquenessConstraints: [["letter", "number"]])
    ])
    let stack = try Stack(type, model: model)
    func seat(_ letter: String, _ number: Int16?) {
      let seat = ManagedObject(entity: model.entities[0], insertInto: stack.context)
      seat.setOptionalValue(letter, at: PropertySlot(-1, "letter"))
      seat.setOptionalValue(number, at: PropertySlot(-1, "number"))
    }
    seat("A", 1)
    seat("A", 2)
    seat("B", 1)
    seat("B", nil)
    seat("B", nil)
    try stack.context.save()
    seat("B", 1)
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Seat has the same letter and number.")
  }
}
