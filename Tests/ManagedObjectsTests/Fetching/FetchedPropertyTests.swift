import DataModel
import Testing

@testable import ManagedObjects

@Suite struct FetchedPropertyTests {
  @Test(arguments: Stack.allTypes)
  func `a fetched property finds what its request describes`(type: PersistentStore.StoreType) throws
  {
    let request = FetchRequestDescription(
      entityName: "Walk", predicateFormat: "minutes > $FETCH_SOURCE.limit")
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [
            .value("limit", .double),
            .fetchedProperty(FetchedPropertyDescription(name: "longWalks", fetchRequest: request)),
          ]),
        EntityDescription(name: "Walk", properties: [.value("minutes", .double)]),
      ]))
    let dog = ManagedObject("Dog", in: stack.context)
    dog.setOptionalValue(30.0, at: PropertySlot(-1, "limit"))
    for minutes in [10.0, 40, 50] {
      ManagedObject("Walk", in: stack.context)
        .setOptionalValue(minutes, at: PropertySlot(-1, "minutes"))
    }
    func longWalks() -> [Double?] {
      let found: [ManagedObject] = dog.fetchedProperty("longWalks")
      return found.map { $0.optionalValue(at: PropertySlot(-1, "minutes")) }
    }
    #expect(longWalks().count == 2)
    #expect((dog.value(forKey: "longWalks") as? [ManagedObject])?.count == 2)
    try stack.context.save()
    #expect(longWalks().count == 2)
    dog.setOptionalValue(45.0, at: PropertySlot(-1, "limit"))
    #expect(longWalks() == [50])
  }

  @Test(arguments: Stack.allTypes)
  func `its source may lead to a subentity's own property`(type: PersistentStore.StoreType) throws {
    let request = FetchRequestDescription(
      entityName: "Dog", predicateFormat: "breed == $FETCH_SOURCE.animal.breed")
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(name: "Animal", properties: [.toOne("home", "Home")]),
        EntityDescription(name: "Home", properties: [.value("place", .string)]),
        EntityDescription(
          name: "Dog", superentityName: "Animal", properties: [.value("breed", .string)]),
        EntityDescription(
          name: "Walk",
          properties: [
            .toOne("animal", "Animal"),
            .fetchedProperty(FetchedPropertyDescription(name: "alike", fetchRequest: request)),
          ]),
      ]))
    let dogs = ["Poodle", "Poodle", "Beagle"].map { breed in
      let dog = ManagedObject("Dog", in: stack.context)
      dog.setValue(breed, forKey: "breed")
      return dog
    }
    let walk = ManagedObject("Walk", in: stack.context)
    walk.setValue(dogs[0], forKey: "animal")
    try stack.context.save()
    let alike: [ManagedObject] = walk.fetchedProperty("alike")
    #expect(Set(alike) == Set(dogs[..<2]) && stack.context.faultingError == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `its request may refer to the object itself`(type: PersistentStore.StoreType) throws {
    let request = FetchRequestDescription(
      entityName: "Walk", predicateFormat: "dog == $FETCH_SOURCE AND minutes > 30")
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [
            .toMany("walks", "Walk", back: "dog"),
            .fetchedProperty(FetchedPropertyDescription(name: "longWalks", fetchRequest: request)),
          ]),
        EntityDescription(
          name: "Walk",
          properties: [.value("minutes", .double), .toOne("dog", "Dog", back: "walks")]),
      ]))
    let dogs = (0..<2).map { _ in ManagedObject("Dog", in: stack.context) }
    for (index, minutes) in [10.0, 40, 50, 60].enumerated() {
      let walk = ManagedObject("Walk", in: stack.context)
      walk.setOptionalValue(minutes, at: PropertySlot(-1, "minutes"))
      walk.setToOne(dogs[index % 2], at: PropertySlot(-1, "dog"))
    }
    func longWalks(_ dog: ManagedObject) -> Set<Double> {
      let found: [ManagedObject] = dog.fetchedProperty("longWalks")
      return Set(found.compactMap { $0.optionalValue(at: PropertySlot(-1, "minutes")) })
    }
    #expect(longWalks(dogs[0]) == [50])
    #expect(longWalks(dogs[1]) == [40, 60])
    try stack.context.save()
    #expect(longWalks(dogs[1]) == [40, 60])
    let other = stack.anotherContext()
    #expect(longWalks(try other.existingObject(with: dogs[1].objectID)) == [40, 60])
  }

  // MARK: What the source leads to

  @Test(arguments: Stack.allTypes)
  func `its request may refer to the members of a to-many`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.streets)
    let (house, other) = (Self.house("a", in: stack), Self.house("b", in: stack))
    #expect(Self.names(house, "own").isEmpty)
    for name in ["x", "y"] { Self.item(name, of: house, in: stack) }
    Self.item("z", of: other, in: stack)
    #expect(Self.names(house, "own") == ["x", "y"])
    try stack.context.save()
    #expect(Self.names(house, "own") == ["x", "y"])
    let context = stack.anotherContext()
    #expect(Self.names(try context.existingObject(with: house.objectID), "own") == ["x", "y"])
    #expect(stack.context.faultingError == nil && context.faultingError == nil)
  }

  @Test func `its request may use operators on a to-many, and members' values`() throws {
    let stack = try Stack(model: Self.streets)
    let (house, other) = (Self.house("a", in: stack), Self.house("x", in: stack))
    for name in ["x", "y", "x"] { Self.item(name, of: house, in: stack) }
    Self.item("z", of: other, in: stack)
    other.setValue(Int16(3), forKey: "number")
    #expect(Self.names(house, "asMany") == ["x"])
    #expect(Self.names(other, "asMany").isEmpty)
    // The houses with the name of one of its items.
    #expect(Self.names(house, "namesakes") == ["x"])
    #expect(Self.names(other, "namesakes").isEmpty)
    #expect(stack.context.faultingError == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `its request may refer to the element of a composite`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type, model: Self.streets)
    let houses = ["a", "b", "c"].map { Self.house($0, in: stack) }
    houses[0].setValue("Rome", forKeyPath: "address.city")
    houses[1].setValue("Oslo", forKeyPath: "address.city")
    houses[2].setValue("Rome", forKeyPath: "address.city")
    #expect(Self.names(houses[0], "neighbours") == ["a", "c"])
    #expect(Self.names(houses[1], "neighbours") == ["b"])
    let item = Self.item("x", of: houses[2], in: stack)
    #expect(Self.names(item, "around") == ["a", "c"])
    item.setValue(nil, forKey: "house")
    #expect(Self.names(item, "around").isEmpty)
    #expect(stack.context.faultingError == nil)
  }

  @Test(arguments: ["lost", "behindAText", "unknownOperator", "sumOfTexts", "composite"])
  func `a source path that does not exist finds nothing, and the context reports why`(
    name: String
  ) throws {
    let stack = try Stack(.inMemory, model: Self.streets)
    let house = Self.house("a", in: stack)
    let found: [ManagedObject] =
      switch name {
      case "lost": house.fetchedProperty("lost")
      case "behindAText": house.fetchedProperty("behindAText")
      case "unknownOperator": house.fetchedProperty("unknownOperator")
      case "sumOfTexts": house.fetchedProperty("sumOfTexts")
      default: house.fetchedProperty("composite")
      }
    #expect(found.isEmpty)
    #expect(stack.context.faultingError is PredicateBindingError)
  }

  /// Houses with items and an address, and properties that search for others like them.
  private static let streets = ManagedObjectModel(entities: [
    EntityDescription(
      name: "House",
      properties: [
        .value("name", .string), .value("number", .integer16),
        .attribute(
          AttributeDescription(
            name: "address", type: .composite, isOptional: true,
            elements: [AttributeDescription(name: "city", type: .string, isOptional: true)])),
        .toMany("items", "Item", back: "house"),
        finding("own", "Item", "SELF IN $FETCH_SOURCE.items"),
        finding("asMany", "House", "number == $FETCH_SOURCE.items.@count"),
        finding("namesakes", "House", "name IN $FETCH_SOURCE.items.name"),
        finding("neighbours", "House", "address.city == $FETCH_SOURCE.address.city"),
        finding("lost", "House", "name == $FETCH_SOURCE.title"),
        finding("behindAText", "House", "name == $FETCH_SOURCE.name.first"),
        finding("unknownOperator", "House", "number == $FETCH_SOURCE.items.@most.name"),
        finding("sumOfTexts", "House", "number == $FETCH_SOURCE.items.@sum.name"),
        finding("composite", "House", "name == $FETCH_SOURCE.address"),
      ]),
    EntityDescription(
      name: "Item",
      properties: [
        .value("name", .string), .toOne("house", "House", back: "items"),
        finding(
          "around", "House",
          "address.city != nil AND address.city == $FETCH_SOURCE.house.address.city"),
      ]),
  ])

  private static func finding(
    _ name: String, _ entity: String, _ format: String
  ) -> PropertyDescription {
    .fetchedProperty(
      FetchedPropertyDescription(
        name: name, fetchRequest: .init(entityName: entity, predicateFormat: format)))
  }

  private static func house(_ name: String, in stack: Stack) -> ManagedObject {
    let house = ManagedObject("House", in: stack.context)
    house.setValue(name, forKey: "name")
    return house
  }

  @discardableResult
  private static func item(
    _ name: String, of house: ManagedObject, in stack: Stack
  ) -> ManagedObject {
    let item = ManagedObject("Item", in: stack.context)
    item.setValue(name, forKey: "name")
    item.setValue(house, forKey: "house")
    return item
  }

  /// The names of what a fetched property finds, sorted.
  private static func names(_ object: ManagedObject, _ property: StaticString) -> [String] {
    let found: [ManagedObject] = object.fetchedProperty(property)
    return found.compactMap { $0.value(forKey: "name") as? String }.sorted()
  }
}
