import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random commands on stores that keep an undo log, undone and redone.
@Suite struct RandomUndoLogTests {
  @Test func `undoing a thousand random commands restores the first state, redoing them the last`()
    throws
  {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let folder = try StoreFolder()
    var states = [try Self.state(folder)]
    var name = 0
    for _ in 0..<1_000 {
      name += 1
      try Self.command("command \(name)", on: Self.open(folder), name, &random)
      let state = try Self.state(folder)
      if try Self.open(folder).log.nextToUndo()?.name == "command \(name)" { states.append(state) }
    }
    #expect(states.count > 500, "most commands must change something: seed \(seed)")
    for place in states.indices.dropLast().reversed() {
      try #require(try Self.open(folder).log.undo() != nil, "seed \(seed)")
      let state = try Self.state(folder)
      try #require(
        state == states[place],
        "undone to \(place), seed \(seed): \(state.difference(from: states[place]))")
    }
    #expect(try Self.open(folder).log.undo() == nil)
    for place in states.indices.dropFirst() {
      try #require(try Self.open(folder).log.redo() != nil, "seed \(seed)")
      let state = try Self.state(folder)
      try #require(
        state == states[place],
        "redone to \(place), seed \(seed): \(state.difference(from: states[place]))")
    }
    try Self.check(folder, seed)
  }

  @Test func `commands, undo and redo in any order agree with a list of states`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let folder = try StoreFolder()
    var states = [try Self.state(folder)]
    var place = 0
    for step in 1...600 {
      let stack = try Self.open(folder)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let command = try stack.log.undo()
        #expect((command != nil) == (place > 0), "step \(step), seed \(seed)")
        if command != nil { place -= 1 }
      case 3..<5:
        let command = try stack.log.redo()
        #expect((command != nil) == (place < states.count - 1), "step \(step), seed \(seed)")
        if command != nil { place += 1 }
      default:
        try Self.command("step \(step)", on: stack, step, &random)
        if try stack.log.nextToUndo()?.name == "step \(step)" {
          states = states.prefix(place + 1) + [try Self.state(folder)]
          place += 1
        }
      }
      let state = try Self.state(folder)
      try #require(
        state == states[place],
        "step \(step), seed \(seed): \(state.difference(from: states[place]))")
    }
    try Self.check(folder, seed)
  }

  private static func open(_ folder: StoreFolder) throws -> UndoStack {
    UndoStack(try folder.open { $0.undoLogLimit = 1_000 })
  }

  private static func state(_ folder: StoreFolder) throws -> StoreState {
    _ = try open(folder)
    return try StoreState(of: folder.store)
  }

  private static func check(_ folder: StoreFolder, _ seed: UInt64) throws {
    guard StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n", "seed \(seed)")
  }

  /// A few changes and a save, as a command of the program would make them.
  static func command(
    _ name: String, on stack: UndoStack, _ number: Int, _ random: inout SeededGenerator
  ) throws {
    stack.log.begin(name)
    for change in 0..<Int.random(in: 1...3, using: &random) {
      let context = stack.context
      let dogs = try context.fetch(Dog.fetchRequest())
      guard dogs.count > 1, let dog = dogs.randomElement(using: &random) else {
        _ = try stack.walk("Dog \(number).\(change)", minutes: number)
        continue
      }
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where dogs.count < 5: _ = try stack.walk("Dog \(number).\(change)", minutes: number)
      case 1 where dogs.count > 3 && dog.walks.count < 20: context.delete(dog)
      case 2..<5: dog.addToWalks(Walk(minutes: number, in: context))
      case 5:
        let place = Int.random(in: 0...dog.walks.count, using: &random)
        dog.insertIntoWalks(Walk(minutes: number, in: context), at: place)
      case 6, 7: if let walk = dog.walks.randomElement(using: &random) { context.delete(walk) }
      case 8:
        // Another dog's walk, which goes to the end.
        let other = dogs.randomElement(using: &random)
        if let walk = dog.walks.randomElement(using: &random) { walk.dog = other }
      case 9:
        var walks = dog.walks
        guard walks.count > 1 else { continue }
        walks.move(
          fromOffset: Int.random(in: 0..<walks.count, using: &random),
          toOffset: Int.random(in: 0..<walks.count, using: &random))
        dog.walks = walks
      case 10:
        dog.name = "Dog \(number).\(change)"
        dog.targetMinutes = Int16.random(in: 0...60, using: &random)
      default:
        guard let walk = dog.walks.randomElement(using: &random) else { continue }
        walk.note = Bool.random(using: &random) ? nil : "note \(number)"
        walk.distance = Double.random(in: 0...5_000, using: &random)
        walk.uuid = UUID()
      }
    }
    try stack.context.save()
  }
}

/// The same on stores of other applications' models.
@Suite(.enabled(if: !FixtureModel.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct RandomModelUndoLogTests {
  @Test(arguments: FixtureModel.all)
  func `random commands on any model can be undone and done again`(fixture: FixtureModel) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let folder = try StoreFolder()
    let container = try folder.open(fixture.model) { $0.undoLogLimit = 1_000 }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    var states = [try StoreState(of: folder.store)]
    var work = RandomModelWork(context: container.newBackgroundContext(), model: fixture.model)
    for number in 0..<60 {
      log.begin("command \(number)")
      for _ in 0..<4 { work.step(&random) }
      work.save()
      if try log.nextToUndo()?.name == "command \(number)" {
        states.append(try StoreState(of: folder.store))
      }
    }
    #expect(states.count > 20, "seed \(seed)")
    for place in states.indices.dropLast().reversed() {
      try log.undo()
      let state = try StoreState(of: folder.store)
      try #require(
        state == states[place], "undo, seed \(seed): \(state.difference(from: states[place]))")
    }
    for place in states.indices.dropFirst() {
      try log.redo()
      let state = try StoreState(of: folder.store)
      try #require(
        state == states[place], "redo, seed \(seed): \(state.difference(from: states[place]))")
    }
  }
}
