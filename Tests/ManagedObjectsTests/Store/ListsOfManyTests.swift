import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Lists read one after another, which a store in memory finds together.
@Suite struct ListsOfManyTests {
  @Test(arguments: Stack.allTypes)
  func `each is as the last save left it, in order`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dogs = try (0..<5).map { try Dog.findOrCreate(named: "\($0)", in: stack.context) }
    var expected: [String: [Int]] = [:]
    for (index, dog) in dogs.enumerated() {
      expected["\(index)"] = (1...4).map { index * 10 + $0 }
      for minutes in expected["\(index)"]! {
        dog.addToWalks(Walk(minutes: minutes, in: stack.context))
      }
    }
    func read() throws -> [String: [Int]] {
      let context = stack.anotherContext()
      let dogs = try context.fetch(Dog.fetchRequest())
      return withExtendedLifetime(context) {
        Dictionary(uniqueKeysWithValues: dogs.map { ($0.name, $0.minutes) })
      }
    }
    try stack.context.save()
    #expect(try read() == expected)
    dogs[1].walks[2].dog = dogs[4]
    try stack.context.save()
    expected["1"] = [11, 12, 14]
    expected["4"] = [41, 42, 43, 44, 13]
    #expect(try read() == expected)
    stack.context.delete(try Dog.findOrCreate(named: "2", in: stack.context))
    try stack.context.save()
    expected["2"] = nil
    #expect(try read() == expected)
  }
}
