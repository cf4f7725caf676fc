import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random work on a store, compared with a slow and obvious model of it made of arrays.
@Suite struct RandomChangesTests {

  /// Where the changes are made: in a context on the store, or in a child of one.
  enum Place: CaseIterable { case context, child }

  @Test(arguments: Stack.allTypes, Place.allCases)
  func `a thousand random changes leave what arrays would hold`(
    type: PersistentStore.StoreType, place: Place
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    var work = RandomWork(
      context: place == .child ? ManagedObjectContext(parent: stack.context) : stack.context)
    for step in 0..<1_000 {
      try work.step(&random)
      // The parent receives only its child's complete saves.
      if place == .child, step % 50 == 49 { try stack.context.save() }
      try #require(work.difference == nil, "not \(work.expected) at step \(step) of seed \(seed)")
    }
    try work.context.save()
    try stack.context.save()
    let reread = try RandomWork.contents(of: stack.anotherContext())
    #expect(reread == work.expected, "seed \(seed)")
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(try coordinator.problems(in: stack.container.persistentStore) == [], "seed \(seed)")
    if type == .sqlite {
      let other = try stack.anotherContainer()
      #expect(
        try RandomWork.contents(of: other.newBackgroundContext()) == work.expected, "seed \(seed)")
      if StoreChecker.isAvailable {
        #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n", "seed \(seed)")
      }
    }
  }
}

/// Random steps on a context and on arrays at once.
struct RandomWork {
  let context: ManagedObjectContext
  /// The walks' lengths by dog, as they are in the context.
  var expected: [String: [Int]] = [:]
  /// Whether the last step was a rollback.
  private(set) var hasRolledBack = false
  /// Whether the last step was a save.
  private(set) var hasSaved = false
  private var saved: [String: [Int]] = [:]
  private var nextMinutes = 1
  private var nextDog = 1

  init(context: ManagedObjectContext) { self.context = context }

  static func contents(of context: ManagedObjectContext) throws -> [String: [Int]] {
    Dictionary(
      uniqueKeysWithValues: try context.fetch(Dog.fetchRequest()).map { ($0.name, $0.minutes) })
  }

  /// The context's content where it differs from the expected one.
  var difference: [String: [Int]]? {
    get throws {
      // Only now and then: checking reads every list, and unread ones are to be tested too.
      guard nextMinutes % 7 == 0 else { return nil }
      let found = try Self.contents(of: context)
      return found == expected ? nil : found
    }
  }

  mutating func step(_ random: inout SeededGenerator) throws {
    hasRolledBack = false
    hasSaved = false
    let dogs = try context.fetch(Dog.fetchRequest())
    guard let dog = dogs.randomElement(using: &random) else { return try addDog() }
    let count = expected[dog.name]!.count
    let other = dogs.randomElement(using: &random)!
    switch Int.random(in: 0..<20, using: &random) {
    case 0 where dogs.count < 6: try addDog()
    case 1 where dogs.count > 3:
      context.delete(dog)
      expected[dog.name] = nil
    case 2..<8:
      dog.addToWalks(newWalk())
      expected[dog.name]!.append(nextMinutes)
    case 8:
      let place = Int.random(in: 0...count, using: &random)
      dog.insertIntoWalks(newWalk(), at: place)
      expected[dog.name]!.insert(nextMinutes, at: place)
    case 9 where count > 0:
      let place = Int.random(in: 0..<count, using: &random)
      context.delete(dog.walks[place])
      expected[dog.name]!.remove(at: place)
    case 10, 11:
      guard count > 0 else { return }
      let place = Int.random(in: 0..<count, using: &random)
      let walk = dog.walks[place]
      guard other != dog else { return }
      walk.dog = other
      expected[other.name]!.append(expected[dog.name]!.remove(at: place))
    case 12, 13:
      guard count > 1 else { return }
      var walks = dog.walks
      let from = Int.random(in: 0..<count, using: &random)
      let to = Int.random(in: 0..<count, using: &random)
      walks.move(fromOffset: from, toOffset: to)
      dog.walks = walks
      expected[dog.name]!.insert(expected[dog.name]!.remove(at: from), at: to)
    case 14 where count > 0:
      let place = Int.random(in: 0..<count, using: &random)
      dog.walks[place].note = "changed"
      nextMinutes += 1
      dog.walks[place].duration = Double(nextMinutes) * 60
      expected[dog.name]![place] = nextMinutes
    case 15 where count > 0:
      let place = Int.random(in: 0..<count, using: &random)
      dog.replaceWalks(at: place, with: newWalk())
      // The replaced walk has no dog now, which the model forbids.
      for orphan in try context.fetch(Walk.fetchRequest()) where orphan.dog == nil {
        context.delete(orphan)
      }
      expected[dog.name]![place] = nextMinutes
    case 16:
      context.rollback()
      expected = saved
      hasRolledBack = true
    default:
      try context.save()
      saved = expected
      hasSaved = true
    }
  }

  private mutating func addDog() throws {
    let name = "Dog \(nextDog)"
    nextDog += 1
    _ = try Dog.findOrCreate(named: name, in: context)
    expected[name] = []
  }

  private mutating func newWalk() -> Walk {
    nextMinutes += 1
    let walk = Walk(context: context)
    walk.date = Date(timeIntervalSinceReferenceDate: Double(nextMinutes))
    walk.duration = Double(nextMinutes) * 60
    return walk
  }
}
