import DogWalkModel
import ManagedObjects
import Testing

@Suite struct UniquenessTests {
  /// A dog made without looking for one with its name.
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
  func `two objects with the same value in one save are refused`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    _ = insert("fido", into: stack.context)
    _ = insert("fido", into: stack.context)
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a change to a value already in use is refused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("fido")
    let rex = try stack.dog("rex")
    rex.nameKey = "fido"
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try stack.reread(Dog.self).map(\.nameKey) == ["fido", "rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `a value moves from a deleted object to a new one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    stack.context.delete(try stack.dog("fido"))
    _ = insert("fido", into: stack.context)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).map(\.primaryKey) == [type.firstKey + 1])
  }

  @Test(arguments: Stack.allTypes)
  func `a value moves from a changed object to a new one`(
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
  func `any number of objects may have no value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    for _ in 0..<3 { _ = Hound(context: stack.context) }
    try stack.context.save()
    #expect(try stack.reread(Hound.self).count == 3)
  }

  @Test(arguments: Stack.allTypes)
  func `several attributes are unique in combination`(type: PersistentStore.StoreType) throws {
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

  @Test(arguments: Stack.allTypes)
  func `zero equals zero with either sign`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Mark", properties: [.value("level", .double)], uniquenessConstraints: [["level"]])
    ])
    let stack = try Stack(type, model: model)
    for level in [0.0, 1] {
      ManagedObject("Mark", in: stack.context).setValue(level, forKey: "level")
    }
    try stack.context.save()
    ManagedObject("Mark", in: stack.context).setValue(-0.0, forKey: "level")
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    stack.context.mergePolicy = .mergeByPropertyObjectTrump
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Mark")
    #expect(try stack.anotherContext().count(for: request) == 2)
  }

  // MARK: Values that change owners

  private func keys(_ stack: Stack) throws -> [String] {
    try stack.reread(Dog.self).sorted { $0.objectID.primaryKey! < $1.objectID.primaryKey! }
      .map(\.nameKey)
  }

  @Test(arguments: Stack.allTypes)
  func `two objects swap their values`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("fido"), try stack.dog("rex"))
    (fido.nameKey, rex.nameKey) = ("rex", "fido")
    try stack.context.save()
    #expect(try keys(stack) == ["rex", "fido"])
    fido.targetMinutes = 1
    try stack.context.save()
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `values move along a chain, in either direction, and in a circle`(
    type: PersistentStore.StoreType, isCircle: Bool
  ) throws {
    let stack = try Stack(type)
    let names = (0..<20).map { "dog \($0)" }
    let dogs = try names.map { try stack.dog($0) }
    for (place, dog) in dogs.enumerated() {
      dog.nameKey = isCircle ? names[(place + 1) % 20] : place < 19 ? names[place + 1] : "last"
      dog.targetMinutes = Int16(place)
    }
    try stack.context.save()
    let expected = Array(names.dropFirst()) + [isCircle ? names[0] : "last"]
    #expect(try keys(stack) == expected)
    #expect(try stack.reread(Dog.self).compactMap(\.targetMinutes).count == 20)
    for (place, dog) in dogs.enumerated() { dog.nameKey = names[place] }
    try stack.context.save()
    #expect(try keys(stack) == names)
  }

  @Test(arguments: Stack.allTypes)
  func `nothing is saved for a chain that ends at another object's value`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dogs = try ["a", "b", "c"].map { try stack.dog($0) }
    try stack.dog("taken")
    for (dog, key) in zip(dogs, ["b", "c", "taken"]) { dog.nameKey = key }
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Dog has the same nameKey.")
    #expect(try keys(stack) == ["a", "b", "c", "taken"])
    dogs[2].nameKey = "free"
    try stack.context.save()
    #expect(try keys(stack) == ["b", "c", "free", "taken"])
  }

  @Test func `a swap conflicts with another context's change as any change does`() throws {
    let stack = try Stack()
    let (fido, rex) = (try stack.dog("fido"), try stack.dog("rex"))
    let other = stack.anotherContext()
    try Dog.findOrCreate(named: "rex", in: other).targetMinutes = 3
    (fido.nameKey, rex.nameKey) = ("rex", "fido")
    try other.save()
    let error = #expect(throws: ConflictError.self) { try stack.context.save() }
    #expect(error?.objectID == rex.objectID)
    #expect(try keys(stack) == ["fido", "rex"])
  }

  @Test func `the undo log undoes and redoes a circular exchange`() throws {
    let folder = try StoreFolder()
    let container = try folder.open { $0.undoLogLimit = 10 }
    let context = container.newBackgroundContext()
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let dogs = try ["a", "b", "c"].map { try Dog.findOrCreate(named: $0, in: context) }
    try context.save()
    let before = try StoreState(of: folder.store)
    log.begin("rename")
    for (dog, key) in zip(dogs, ["b", "c", "a"]) { (dog.name, dog.nameKey) = (key, key) }
    try context.save()
    dogs[0].targetMinutes = 5
    try context.save()
    let after = try StoreState(of: folder.store)
    for _ in 0..<2 {
      try log.undo()
      #expect(try StoreState(of: folder.store) == before)
      try log.redo()
      #expect(try StoreState(of: folder.store) == after)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a value that is being given away is not searched for`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    (fido.name, fido.nameKey) = ("Rex", "rex")
    let new = try Dog.findOrCreate(named: "Fido", in: stack.context)
    #expect(new.isInserted)
    // Another context's write makes the save look once more.
    let other = stack.anotherContext()
    _ = try Dog.findOrCreate(named: "Zoe", in: other)
    try other.save()
    try stack.context.save()
    #expect(new.objectID != fido.objectID)
    #expect(try stack.reread(Dog.self).map(\.name).sorted() == ["Fido", "Rex", "Zoe"])
  }
}
