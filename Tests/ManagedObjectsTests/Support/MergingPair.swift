import DogWalkModel
import ManagedObjects
import Testing

/// Two contexts that have read a dog with two walks.
struct MergingPair {
  let stack: Stack
  let dog: Dog
  let other: Stack
  let otherDog: Dog

  init(_ type: PersistentStore.StoreType) throws {
    stack = try Stack(type)
    dog = try stack.dog("Fido", minutes: [10, 20])
    other = Stack(sharing: stack)
    otherDog = try #require(try other.context.fetch(Dog.fetchRequest()).first)
    #expect(otherDog.minutes == [10, 20])
  }

  /// Saves in the first context and merges what it saved into the other.
  func saveAndMerge() throws {
    var saved = ChangedObjectIDs()
    let observation = stack.context.observe(.didSave) { saved = $0.objectIDs }
    defer { observation.cancel() }
    try stack.context.save()
    try other.context.mergeChanges(from: saved)
  }
}
