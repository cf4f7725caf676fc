import DataModel
import Testing

@testable import ManagedObjects

@Suite struct FetchedPropertyTests {
  @Test(arguments: Stack.allTypes)
  func `a fetched property finds what its request says`(type: PersistentStore.StoreType) throws {
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
    try stack.context.save()
    #expect(longWalks().count == 2)
    dog.setOptionalValue(45.0, at: PropertySlot(-1, "limit"))
    #expect(longWalks() == [50])
  }

  @Test(arguments: Stack.allTypes)
  func `its request may name the object itself`(type: PersistentStore.StoreType) throws {
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
}
