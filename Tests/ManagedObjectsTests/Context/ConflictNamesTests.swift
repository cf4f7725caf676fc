import DogWalkModel
import ManagedObjects
import Testing

/// Saves that conflict with several changes by others name all of them.
@Suite struct ConflictNamesTests {
  private final class OwnPolicy: MergePolicy {}

  @Test(arguments: Stack.allTypes, [true, false])
  func `every object in conflict is named`(
    type: PersistentStore.StoreType, hasPolicy: Bool
  ) throws {
    let stack = try Stack(type)
    let dogs = try ["A", "B", "C", "D"].map { try stack.dog($0, minutes: [10]) }
    let other = stack.anotherContext()
    stack.rereading.append(other)
    if hasPolicy { other.mergePolicy = OwnPolicy(.error) }
    let twins = try dogs.map { try #require(try other.existingObject(with: $0.objectID) as? Dog) }
    dogs[0].targetMinutes = 1
    dogs[1].targetMinutes = 1
    stack.context.delete(dogs[2])
    try stack.context.save()
    twins[0].targetMinutes = 2
    other.delete(twins[1])
    twins[2].targetMinutes = 2
    twins[3].targetMinutes = 2
    let conflict = #expect(throws: ConflictError.self) { try other.save() }
    #expect(Set(conflict?.objectIDs ?? []) == Set(dogs[..<3].map(\.objectID)))
    #expect(conflict?.objectIDs.count == 3 && conflict?.objectID == conflict?.objectIDs[0])
    #expect(conflict?.description.hasPrefix("3 objects were changed by someone else") == true)
    #expect(other.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `every lost object is named`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dogs = try ["A", "B"].map { try stack.dog($0) }
    let other = stack.anotherContext()
    let faults = dogs.compactMap { other.object(with: $0.objectID) as? Dog }
    for dog in dogs { stack.context.delete(dog) }
    try stack.context.save()
    for fault in faults { fault.targetMinutes = 1 }
    faults[0].targetMinutes = 2
    let conflict = #expect(throws: ConflictError.self) { try other.save() }
    #expect(conflict?.objectIDs == dogs.map(\.objectID))
  }
}
