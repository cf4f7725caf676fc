import DogWalkModel
import ManagedObjects
import Testing

/// Fido, as two contexts read him: with a target of 10 minutes and walks of 10 and 20.
struct Contest {
  let stack: Stack
  let dog: Dog
  let rival: ManagedObjectContext
  let rivalDog: Dog

  init(_ type: PersistentStore.StoreType, _ policy: MergePolicy) throws {
    stack = try Stack(type)
    dog = try stack.dog("Fido", minutes: [10, 20])
    dog.targetMinutes = 10
    try stack.context.save()
    rival = stack.anotherContext()
    rivalDog = try #require(try rival.fetch(Dog.fetchRequest()).first)
    _ = rivalDog.minutes
    stack.context.mergePolicy = policy
  }

  /// The rival changes name and target, we change target and gap.
  func meet() throws {
    (rivalDog.name, rivalDog.targetMinutes) = ("Theirs", 20)
    try rival.save()
    (dog.targetMinutes, dog.maximumGap) = (30, 60)
  }

  /// What is stored afterwards: name, target and gap.
  func expect(
    _ name: String, _ target: Int16?, _ gap: Double?,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try stack.context.save()
    #expect(!stack.context.hasChanges, sourceLocation: location)
    let stored = try #require(try stack.reread(Dog.self).first)
    for dog in [stored, self.dog] {
      #expect(
        dog.name == name && dog.targetMinutes == target && dog.maximumGap == gap,
        "\(dog.name) \(dog.targetMinutes ?? -1) \(dog.maximumGap ?? -1)",
        sourceLocation: location)
    }
    #expect(stored.minutes == [10, 20], sourceLocation: location)
  }
}
