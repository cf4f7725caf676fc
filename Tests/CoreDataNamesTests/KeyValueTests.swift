import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Values by the names of properties, in Foundation's classes.
@Suite struct `Values by name` {
  private let container: NSPersistentContainer
  private var context: NSManagedObjectContext { container.viewContext }
  private let dog: Dog

  init() {
    container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
    dog = Dog(context: container.viewContext)
    (dog.name, dog.age) = ("Fido", 3)
  }

  @Test func `changed and stored values have numbers of any width`() throws {
    try context.save()
    (dog.age, dog.weight) = (5, 2.5)

    #expect(dog.changedValues()["age"] as? Int == 5)
    #expect(dog.changedValuesForCurrentEvent()["age"] as? Int == 3)
    #expect(dog.committedValues(forKeys: ["age"])["age"] as? Int == 3)
    #expect(dog.committedValues(forKeys: nil)["age"] as? NSNumber == 3)
    #expect(dog.primitiveValue(forKey: "age") as? Int == 5)
    #expect(dog.dictionaryWithValues(forKeys: ["age", "born"])["age"] as? Int == 5)
  }

  @Test func `an object takes another one's values`() {
    let twin = Dog(context: context)
    dog.fee = 12.5
    twin.setValuesForKeys(dog.dictionaryWithValues(forKeys: ["name", "age", "fee", "born"]))
    #expect(twin.name == "Fido" && twin.age == 3 && twin.fee == 12.5 && twin.born == nil)
  }

  @Test func `NSNull and NSSet are set by every method`() {
    let (owner, walk) = (Owner(context: context), Walk(context: context))
    walk.dog = dog
    dog.weight = 3
    dog.setValuesForKeys(["weight": NSNull(), "age": 4, "owners": NSSet(object: owner)])
    #expect(dog.weight == nil && dog.age == 4 && dog.owners?.count == 1)
    dog.weight = 3
    walk.setValue(NSNull(), forKeyPath: "dog.weight")
    #expect(dog.weight == nil)
    dog.weight = 3
    dog.setPrimitiveValue(NSNull(), forKey: "weight")
    #expect(dog.weight == nil)
  }

  @Test func `numbers are converted to the attribute's type`() {
    dog.setValue(NSNumber(value: 4.9), forKey: "age")
    #expect(dog.age == 4)
    dog.setValue(NSNumber(value: -4.9), forKey: "age")
    #expect(dog.age == -4)
    dog.setValue(NSNumber(value: true), forKey: "age")
    #expect(dog.age == 1)
    dog.setValue(NSDecimalNumber(string: "5.5"), forKey: "age")
    #expect(dog.age == 5)
    dog.setValue(NSNumber(value: 2), forKey: "isFed")
    #expect(dog.isFed)
    dog.setValue(NSNumber(value: 0.0), forKey: "isFed")
    #expect(!dog.isFed)
    dog.setValue(NSNumber(value: 7), forKey: "weight")
    #expect(dog.weight == 7)
  }

  @Test func `a set with other things than objects is refused`() async {
    await #expect(processExitsWith: .failure) {
      `Values by name`().dog.setValue(NSSet(object: "Rex"), forKey: "owners")
    }
  }

  @Test func `key paths through to-manys give numbers of any width`() {
    for minutes in [10, 20] as [Int32] {
      let walk = Walk(context: context)
      walk.minutes = minutes
      dog.addToWalks(walk)
    }
    #expect(dog.value(forKeyPath: "walks.minutes") as? [Int] == [10, 20])
    #expect((dog.value(forKeyPath: "walks.@count") as? NSNumber)?.intValue == 2)
    #expect(dog.value(forKeyPath: "walks.@max.minutes") as? Int == 20)
  }

  @Test func `optional values are inserted and updated in batches`() throws {
    let (name, weight): (String?, Double?) = ("Rex", nil)
    try context.execute(
      NSBatchInsertRequest(
        entityName: "Dog", objects: [["name": name as Any, "weight": weight as Any]]))
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    request.predicate = NSPredicate(format: "name == 'Rex'")
    let rex = try #require(try context.fetch(request).first)
    #expect(rex.weight == nil)
    rex.weight = 3
    try context.save()
    let update = NSBatchUpdateRequest(entityName: "Dog")
    update.propertiesToUpdate = ["weight": weight as Any]
    try context.execute(update)
    try context.refresh(rex, mergeChanges: false)
    #expect(rex.weight == nil)
  }
}
