import ManagedObjects
import Testing

/// One-to-ones that are their own inverse, or lead from an object to itself.
@Suite struct OwnInverseTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Node",
      properties: [
        .toOne("twin", "Node", back: "twin"), .toOne("left", "Node", back: "right"),
        .toOne("right", "Node", back: "left"),
      ])
  ])

  @Test(arguments: Stack.allTypes)
  func `an object that was its own partner gets another`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let (one, other) = (
      ManagedObject("Node", in: stack.context), ManagedObject("Node", in: stack.context)
    )
    one.setValue(one, forKey: "twin")
    #expect(one.value(forKey: "twin") as? ManagedObject === one)
    one.setValue(other, forKey: "twin")
    #expect(one.value(forKey: "twin") as? ManagedObject === other)
    #expect(other.value(forKey: "twin") as? ManagedObject === one)
    other.setValue(other, forKey: "twin")
    #expect(one.value(forKey: "twin") == nil)
    #expect(other.value(forKey: "twin") as? ManagedObject === other)
  }

  @Test(arguments: Stack.allTypes)
  func `an object on its own left is on its own right`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let (one, other) = (
      ManagedObject("Node", in: stack.context), ManagedObject("Node", in: stack.context)
    )
    one.setValue(one, forKey: "left")
    #expect(one.value(forKey: "right") as? ManagedObject === one)
    one.setValue(other, forKey: "left")
    #expect(one.value(forKey: "right") == nil)
    #expect(other.value(forKey: "right") as? ManagedObject === one)
  }
}
