import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random work in two contexts that merge each other's saves, beside a slow and obvious copy of it.
@Suite struct RandomMergingTests {
  @Test(arguments: Stack.allTypes)
  func `two thousand random changes in two contexts leave what dictionaries would hold`(
    type: PersistentStore.StoreType
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    var stored = World()
    var works = [
      Work(stack.context, number: 0), Work(stack.anotherContext(), number: 1),
    ]
    for step in 0..<2_000 {
      let who = Int.random(in: 0..<2, using: &random)
      let other = works[1 - who]
      try works[who].step(
        &random, stored: &stored, mayDeleteDogs: !other.context.hasChanges)
      guard step % 7 == 0 else { continue }
      let found = try World(of: works[who].context)
      try #require(
        found == works[who].now, "step \(step) of SEED=\(seed): \(found) not \(works[who].now)")
      guard step % 49 == 0 else { continue }
      try #require(try World(of: stack.anotherContext()) == stored, "step \(step) of SEED=\(seed)")
    }
    for who in 0..<2 { try works[who].mergeAndSave(&stored) }
    #expect(try World(of: stack.anotherContext()) == stored, "SEED=\(seed)")
    guard type == .sqlite else { return }
    let other = try stack.anotherContainer()
    #expect(try World(of: other.newBackgroundContext()) == stored, "SEED=\(seed)")
    if StoreChecker.isAvailable {
      #expect(try StoreChecker.check(stack.url) == "0 differences, 2 entities\n", "SEED=\(seed)")
    }
  }
}

/// Dogs by name, with their walks in order; walks by their minutes, which never change.
private struct World: Equatable {
  struct Dog: Equatable {
    var target: Int16?
    var walks: [Int] = []
  }
  struct Walk: Equatable {
    var note: String?
    var dog: String
  }

  var dogs: [String: Dog] = [:]
  var walks: [Int: Walk] = [:]

  init() {}

  /// What a context holds, read from both sides.
  init(of context: ManagedObjectContext) throws {
    for dog in try context.fetch(DogWalkModel.Dog.fetchRequest()) {
      dogs[dog.name] = Dog(target: dog.targetMinutes, walks: dog.minutes)
    }
    for walk in try context.fetch(DogWalkModel.Walk.fetchRequest()) {
      walks[Int(walk.duration! / 60)] = Walk(note: walk.note, dog: walk.dog?.name ?? "nobody's")
    }
  }

  /// What is stored now, under what was changed since `base`.
  ///
  /// - Parameter appended: the walks that were put into a list since.
  /// - Parameter rearranged: the dogs whose order was changed since.
  func merging(_ mine: World, base: World, appended: Set<Int>, rearranged: Set<String>) -> World {
    var result = World()
    for (name, dog) in mine.dogs where dogs[name] != nil || base.dogs[name] == nil {
      let theirs = dogs[name]?.target
      result.dogs[name] = Dog(
        target: base.dogs[name] != nil && dog.target == base.dogs[name]!.target
          ? theirs : dog.target)
    }
    for (name, dog) in dogs where base.dogs[name] == nil && mine.dogs[name] == nil {
      result.dogs[name] = Dog(target: dog.target)
    }
    for (minutes, walk) in mine.walks where walks[minutes] != nil || base.walks[minutes] == nil {
      guard let old = base.walks[minutes], let theirs = walks[minutes] else {
        result.walks[minutes] = walk
        continue
      }
      result.walks[minutes] = Walk(
        note: walk.note == old.note ? theirs.note : walk.note,
        dog: appended.contains(minutes) && walk.dog != old.dog ? walk.dog : theirs.dog)
    }
    for (minutes, walk) in walks where base.walks[minutes] == nil && mine.walks[minutes] == nil {
      result.walks[minutes] = walk
    }
    for name in result.dogs.keys {
      func isMember(_ minutes: Int) -> Bool { result.walks[minutes]?.dog == name }
      let own = (mine.dogs[name]?.walks ?? []).filter(isMember)
      let theirs = (dogs[name]?.walks ?? []).filter(isMember)
      if rearranged.contains(name) {
        result.dogs[name]!.walks = own + theirs.filter { !own.contains($0) }
      } else {
        let added = own.filter { appended.contains($0) }
        result.dogs[name]!.walks = theirs.filter { !added.contains($0) } + added
      }
    }
    return result
  }
}

/// Random steps in one context and on its copy at once.
private struct Work {
  let context: ManagedObjectContext
  private(set) var now = World()
  private var base = World()
  private var appended: Set<Int> = []
  private var rearranged: Set<String> = []
  /// Even in one context and odd in the other, so that all numbers differ.
  private var number: Int

  init(_ context: ManagedObjectContext, number: Int) {
    self.context = context
    self.number = number
    context.automaticallyMergesChangesFromParent = true
  }

  mutating func mergeAndSave(_ stored: inout World) throws {
    merge(stored)
    try context.save()
    stored = now
    settle()
  }

  private mutating func settle() {
    base = now
    appended = []
    rearranged = []
  }

  /// What the context does by itself whenever it is asked for something.
  private mutating func merge(_ stored: World) {
    now = stored.merging(now, base: base, appended: appended, rearranged: rearranged)
    base = stored
    appended = appended.filter { now.walks[$0] != nil }
  }

  mutating func step(
    _ random: inout SeededGenerator, stored: inout World, mayDeleteDogs: Bool
  ) throws {
    // A fetch merges.
    merge(stored)
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    let dogs = try context.fetch(request)
    let kind = Int.random(in: 0..<24, using: &random)
    guard dogs.count > 1, kind > 0 || dogs.count > 5 else { return try addDog() }
    let dog = dogs.randomElement(using: &random)!
    let other = dogs.randomElement(using: &random)!
    let count = now.dogs[dog.name]!.walks.count
    let place = count > 0 ? Int.random(in: 0..<count, using: &random) : 0
    switch kind {
    case 1 where mayDeleteDogs && dogs.count > 3:
      delete(dog)
      // At once, so that the other does not give it walks meanwhile.
      try mergeAndSave(&stored)
    case 2...5: add(newWalk(), to: dog, at: nil)
    case 6: add(newWalk(), to: dog, at: Int.random(in: 0...count, using: &random))
    case 7, 8:
      let minutes = Int16.random(in: 1..<100, using: &random)
      dog.targetMinutes = minutes
      now.dogs[dog.name]!.target = minutes
    case 9...11 where count > 0:
      let note = "note \(Int.random(in: 0..<1_000, using: &random))"
      dog.walks[place].note = note
      now.walks[now.dogs[dog.name]!.walks[place]]!.note = note
    case 12...13 where count > 0:
      guard other != dog else { return }
      let walk = dog.walks[place]
      walk.dog = other
      let minutes = now.dogs[dog.name]!.walks.remove(at: place)
      now.dogs[other.name]!.walks.append(minutes)
      now.walks[minutes]!.dog = other.name
      appended.insert(minutes)
    case 14...15 where count > 1:
      var walks = dog.walks
      let to = Int.random(in: 0..<count, using: &random)
      guard to != place else { return }
      walks.move(fromOffset: place, toOffset: to)
      dog.walks = walks
      now.dogs[dog.name]!.walks.insert(now.dogs[dog.name]!.walks.remove(at: place), at: to)
      rearranged.insert(dog.name)
    case 16 where count > 0:
      context.delete(dog.walks[place])
      now.walks[now.dogs[dog.name]!.walks.remove(at: place)] = nil
    case 17:
      context.rollback()
      now = base
      settle()
    case 22 where count > 0: try refresh(dog.walks[place])
    case 18: try context.refreshAllObjects()
    case 19, 20, 21: try mergeAndSave(&stored)
    default: context.processPendingChanges()
    }
  }

  /// Gives a stored walk its stored values back, and its place.
  private mutating func refresh(_ walk: Walk) throws {
    let minutes = Int(walk.duration! / 60)
    guard let old = base.walks[minutes], let owner = base.dogs[old.dog], now.dogs[old.dog] != nil,
      // Where others have left their places there is no telling which was this one's.
      !rearranged.contains(old.dog), appended.isDisjoint(with: owner.walks.filter { $0 != minutes })
    else { return }
    try context.refresh(walk, mergeChanges: false)
    let dog = now.walks[minutes]!.dog
    now.dogs[dog]!.walks.removeAll { $0 == minutes }
    now.walks[minutes] = old
    appended.remove(minutes)
    let present = now.dogs[old.dog]!.walks
    let stay = owner.walks.filter { $0 == minutes || present.contains($0) }
    now.dogs[old.dog]!.walks = stay + present.filter { !stay.contains($0) }
  }

  private mutating func addDog() throws {
    number += 2
    let name = "Dog \(number)"
    _ = try Dog.findOrCreate(named: name, in: context)
    now.dogs[name] = World.Dog()
  }

  private mutating func delete(_ dog: Dog) {
    for minutes in now.dogs[dog.name]!.walks { now.walks[minutes] = nil }
    now.dogs[dog.name] = nil
    context.delete(dog)
  }

  private mutating func add(_ walk: Walk, to dog: Dog, at place: Int?) {
    let minutes = Int(walk.duration! / 60)
    now.walks[minutes] = World.Walk(dog: dog.name)
    appended.insert(minutes)
    if let place, place < now.dogs[dog.name]!.walks.count {
      dog.insertIntoWalks(walk, at: place)
      now.dogs[dog.name]!.walks.insert(minutes, at: place)
      rearranged.insert(dog.name)
    } else {
      dog.addToWalks(walk)
      now.dogs[dog.name]!.walks.append(minutes)
    }
  }

  private mutating func newWalk() -> Walk {
    number += 2
    return Walk(minutes: number, in: context)
  }
}
