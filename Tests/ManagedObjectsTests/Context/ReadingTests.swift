import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Several reads of one state of the store.
@Suite struct ReadingTests {
  @Test func `another process's saves meanwhile are not seen`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido", minutes: [10])
    let other = try stack.anotherContainer()
    let context = other.newBackgroundContext()
    try context.performReading {
      #expect(try context.count(for: Walk.fetchRequest()) == 1)
      dog.addToWalks(stack.walk(minutes: 20))
      dog.targetMinutes = 30
      try stack.context.save()
      #expect(try context.count(for: Walk.fetchRequest()) == 1)
      let fault = context.object(with: dog.objectID) as? Dog
      #expect(fault?.targetMinutes == nil && fault?.minutes == [10])
    }
    #expect(try context.count(for: Walk.fetchRequest()) == 2)
    #expect((context.object(with: dog.objectID) as? Dog)?.targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `a body may nest a reading, throw, and be followed by a save`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    #expect(throws: CancellationError.self) {
      try stack.context.performReading {
        // Another context of this isolation reads the same state.
        let count = try other.performReading { try other.count(for: Dog.fetchRequest()) }
        #expect(count == 1)
        throw CancellationError()
      }
    }
    dog.targetMinutes = 30
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 30)
  }

  @Test func `a read-only store can be read this way too`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10])
    let container = try folder.open { $0.isReadOnly = true }
    let context = container.newBackgroundContext()
    let found = try context.performReading { try context.fetch(Dog.fetchRequest()).map(\.minutes) }
    #expect(found == [[10]])
  }

  @Test func `a save inside is a mistake`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = try Dog.findOrCreate(named: "Fido", in: stack.context)
      try stack.context.performReading { try stack.context.save() }
    }
    #expect(said("Nothing can be saved in performReading.", result))
  }
}
