import ManagedObjects
import Testing

@Suite struct InheritanceTests {
  /// A cat, a hound and a puppy, saved in that order.
  private func kennel(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack.kennel(type)
    let context = stack.context
    let (tom, fido, pip) = (Cat(context: context), Hound(context: context), Puppy(context: context))
    (tom.name, fido.name, pip.name) = ("Tom", "Fido", "Pip")
    (tom.lives, fido.call, pip.call, pip.weeks) = (7, "wuff", "yip", 12)
    try context.save()
    return stack
  }

  @Test(arguments: Stack.allTypes)
  func `objects of subentities keep their class and values`(
    type: PersistentStore.StoreType
  ) throws {
    let animals = try kennel(type).reread(Animal.self)
    #expect(animals.map(\.name) == ["Tom", "Fido", "Pip"])
    #expect((animals[0] as? Cat)?.lives == 7)
    #expect((animals[1] as? Hound)?.call == "wuff")
    #expect((animals[2] as? Puppy)?.call == "yip")
    #expect((animals[2] as? Puppy)?.weeks == 12)
    #expect(animals.map(\.entity.name) == ["Cat", "Hound", "Puppy"])
  }

  @Test(arguments: Stack.allTypes)
  func `subentities share the keys of their root entity`(type: PersistentStore.StoreType) throws {
    let animals = try kennel(type).reread(Animal.self)
    #expect(animals.map(\.objectID.primaryKey) == (0..<3).map { type.firstKey + $0 })
  }

  @Test func `the rows are in the root entity's table`() throws {
    let stack = try kennel(.sqlite)
    #expect(try stack.sqlite("SELECT group_concat(Z_ENT) FROM ZANIMAL") == "2,3,4")
    #expect(
      try stack.sqlite("SELECT group_concat(name) FROM sqlite_master WHERE name LIKE 'ZHOUND'")
        == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch returns objects of subentities`(type: PersistentStore.StoreType) throws {
    let stack = try kennel(type)
    #expect(try stack.reread(Hound.self).map(\.name) == ["Fido", "Pip"])
    #expect(try stack.reread(Puppy.self).map(\.name) == ["Pip"])
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a fetch without subentities returns only the entity's own`(
    type: PersistentStore.StoreType, withChanges: Bool
  ) throws {
    let stack = try kennel(type)
    if withChanges {
      for animal in try stack.context.fetch(Animal.fetchRequest()) { animal.name? += "!" }
      Puppy(context: stack.context).name = "Pup"
      Hound(context: stack.context).name = "Rex"
    }
    let end = withChanges ? "!" : ""
    var request = Hound.fetchRequest()
    request.includesSubentities = false
    let names = try stack.context.fetch(request).map(\.name)
    #expect(names == (withChanges ? ["Fido" + end, "Rex"] : ["Fido"]))
    #expect(try stack.context.count(for: request) == names.count)
    var animals = Animal.fetchRequest()
    animals.includesSubentities = false
    #expect(try stack.context.fetch(animals).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one leads to any subentity`(type: PersistentStore.StoreType) throws {
    let stack = try kennel(type)
    let animals = try stack.context.fetch(Animal.fetchRequest())
    for animal in animals {
      let person = Person(context: stack.context)
      person.favourite = animal
      person.name = animal.name
    }
    try stack.context.save()
    let people = try stack.reread(Person.self)
    #expect(people[0].favourite is Cat)
    #expect(people[1].favourite?.entity.name == "Hound")
    #expect((people[2].favourite as? Puppy)?.weeks == 12)
    #expect(people.map { $0.favourite?.name } == people.map(\.name))
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one changes from one subentity to another`(type: PersistentStore.StoreType) throws {
    let stack = try kennel(type)
    let animals = try stack.context.fetch(Animal.fetchRequest())
    let person = Person(context: stack.context)
    for animal in [animals[0], nil, animals[2], animals[1]] {
      person.favourite = animal
      try stack.context.save()
      let favourite = try stack.reread(Person.self)[0].favourite
      #expect(favourite?.name == animal?.name)
      #expect(favourite?.entity == animal?.entity)
    }
  }

  @Test func `the entity number is stored with the key of a to-one`() throws {
    let stack = try kennel(.sqlite)
    let person = Person(context: stack.context)
    person.favourite = try stack.context.fetch(Cat.fetchRequest())[0]
    try stack.context.save()
    #expect(try stack.sqlite("SELECT ZFAVOURITE || ' ' || Z1_FAVOURITE FROM ZPERSON") == "1 2")
    person.favourite = nil
    try stack.context.save()
    #expect(
      try stack.sqlite("SELECT ZFAVOURITE IS NULL AND Z1_FAVOURITE IS NULL FROM ZPERSON") == "1")
  }

  @Test(arguments: ["delete", "clear", "replace"])
  func `the entity number changes with the partner of a one-to-one`(how: String) throws {
    let stack = try kennel(.sqlite)
    let animals = try stack.context.fetch(Animal.fetchRequest())
    let collar = Collar(context: stack.context)
    collar.animal = animals[2]
    try stack.context.save()
    #expect(try stack.sqlite("SELECT ZANIMAL || ' ' || Z1_ANIMAL FROM ZCOLLAR") == "3 4")
    switch how {
    case "delete": stack.context.delete(animals[2])
    case "clear": collar.animal = nil
    default: Collar(context: stack.context).animal = animals[2]
    }
    try stack.context.save()
    #expect(
      try stack.sqlite("SELECT ZANIMAL IS NULL AND Z1_ANIMAL IS NULL FROM ZCOLLAR WHERE Z_PK = 1")
        == "1")
  }

  @Test(arguments: Stack.allTypes)
  func `a to-many holds objects of several subentities`(type: PersistentStore.StoreType) throws {
    let stack = try kennel(type)
    let person = Person(context: stack.context)
    person.pets = Set(try stack.context.fetch(Animal.fetchRequest()))
    try stack.context.save()
    let pets = try stack.reread(Person.self)[0].pets
    #expect(Set(pets.map(\.entity.name)) == ["Cat", "Hound", "Puppy"])
    #expect(pets.contains { ($0 as? Cat)?.lives == 7 })
  }

  @Test(arguments: Stack.allTypes)
  func `a superentity's constraint applies to its subentities`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try kennel(type)
    Puppy(context: stack.context).name = "Tom"
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Puppy has the same name.")
  }

  @Test(arguments: Stack.allTypes)
  func `a subentity's constraint applies only to its own subentities`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try kennel(type)
    let cat = Cat(context: stack.context)
    cat.lives = 1
    try stack.context.save()
    Puppy(context: stack.context).call = "wuff"
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `an ID of a superentity leads to the object of the subentity`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try kennel(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let id = try #require(
      coordinator.managedObjectID(
        entityName: "Animal", primaryKey: type.firstKey + 2, in: stack.container.persistentStore))
    let other = stack.anotherContext()
    let pip = try #require(try other.existingObject(with: id) as? Puppy)
    #expect(pip.weeks == 12)
    #expect(other.object(with: id) === pip)
    #expect(pip.objectID == id)
  }
}
