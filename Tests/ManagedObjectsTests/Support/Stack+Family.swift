import DogWalkModel
import ManagedObjects
import Testing

extension Stack {
  /// A dog with two walks, and the same dog in a child of its context.
  static func family(
    _ type: PersistentStore.StoreType
  ) throws -> (stack: Stack, dog: Dog, child: ManagedObjectContext, childDog: Dog) {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    let child = ManagedObjectContext(parent: stack.context)
    let childDog = try #require(try child.fetch(Dog.fetchRequest()).first)
    #expect(childDog !== dog && childDog.objectID == dog.objectID)
    return (stack, dog, child, childDog)
  }
}
