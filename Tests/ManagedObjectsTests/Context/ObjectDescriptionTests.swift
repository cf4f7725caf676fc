import ManagedObjects
import Testing

/// Objects as a log shows them.
@Suite struct ObjectDescriptionTests {
  @Test(arguments: Stack.allTypes)
  func `an object is printed with what is known of it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let (ada, tom) = (Person(context: stack.context), Cat(context: stack.context))
    ada.name = "Ada"
    #expect(ada.debugDescription == "<Person \(ada.objectID) {name: “Ada”, pets: 0}>")
    tom.owner = ada
    ada.favourite = tom
    let key = tom.objectID.description.split(separator: "/").last!
    #expect(
      ada.debugDescription == "<Person \(ada.objectID) {name: “Ada”, favourite: \(key), pets: 1}>")
    try stack.context.save()

    let context = stack.anotherContext()
    let same = context.object(with: ada.objectID)
    #expect("\(same)" == "<Person \(ada.objectID) a fault>" && same.isFault)
    _ = same.value(forKey: "name")
    #expect(
      "\(same)"
        == "<Person \(ada.objectID) {name: “Ada”, favourite: p\(tom.primaryKey), pets: not read}>")
    #expect(same.hasFault(forRelationshipNamed: "pets"))
  }
}
