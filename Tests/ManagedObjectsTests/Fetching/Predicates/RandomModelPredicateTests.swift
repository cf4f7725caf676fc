import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random models, objects and predicates: all evaluators agree.
@Suite struct RandomModelPredicateTests {
  @Test(arguments: 0..<8)
  func `SQL, memory and unsaved changes find the same objects`(round: Int) throws {
    let seed = SeededGenerator.seed() &+ UInt64(round) &* 7919
    var random = SeededGenerator(seed: seed)
    let model = RandomModel(&random)
    let stacks = try Stack.allTypes.map { try Stack($0, model: model.model) }
    var worlds = stacks.map { RandomObjects(context: $0.context, model: model) }
    let filling = random.next()
    for place in worlds.indices {
      var random = SeededGenerator(seed: filling)
      for _ in 0..<24 { worlds[place].insert(&random) }
      try stacks[place].context.save()
    }
    try compare(stacks, model, &random, cases: 150, "saved, SEED=\(seed), round \(round)")
    for _ in 0..<3 {
      let changes = random.next()
      for place in worlds.indices {
        var random = SeededGenerator(seed: changes)
        for _ in 0..<6 { worlds[place].change(&random) }
      }
      try compare(stacks, model, &random, cases: 60, "unsaved, SEED=\(seed), round \(round)")
    }
  }

  @Test(arguments: 0..<6)
  func `a child finds its parent's and its own changes`(round: Int) throws {
    let seed = SeededGenerator.seed() &+ UInt64(round) &* 6151
    var random = SeededGenerator(seed: seed)
    let model = RandomModel(&random)
    let stacks = try Stack.allTypes.map { try Stack($0, model: model.model) }
    var worlds = stacks.map { RandomObjects(context: $0.context, model: model) }
    func change(_ count: Int, _ body: (inout RandomObjects, inout SeededGenerator) -> Void) {
      let changes = random.next()
      for place in worlds.indices {
        var random = SeededGenerator(seed: changes)
        for _ in 0..<count { body(&worlds[place], &random) }
      }
    }
    change(20) { $0.insert(&$1) }
    for stack in stacks { try stack.context.save() }
    change(5) { $0.change(&$1) }
    worlds = worlds.map { $0.inChild() }
    for step in 0..<3 {
      try compare(
        worlds.map(\.context), model, &random, cases: 40,
        "child, step \(step), SEED=\(seed), round \(round)")
      change(5) { $0.change(&$1) }
    }
  }

  @Test(arguments: 0..<6)
  func `two stores give the same result as one with all objects`(round: Int) throws {
    let seed = SeededGenerator.seed() &+ UInt64(round) &* 4409
    var random = SeededGenerator(seed: seed)
    let model = RandomModel(&random)
    let whole = try Stack(.sqlite, model: model.model)
    let folder = try StoreFolder()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model.model)
    let stores = [
      try coordinator.addPersistentStore(
        type: .sqlite, at: folder.url.appending(path: "Other.sqlite")),
      try coordinator.addPersistentStore(type: .inMemory, at: nil),
    ]
    let parts = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    // Relationships stay within a store, so there are two worlds, and both are in the one store.
    var worlds: [[RandomObjects]] = stores.enumerated().map { place, store in
      let number = 1 + 1000 * place
      return [
        RandomObjects(context: whole.context, model: model, firstNumber: number),
        RandomObjects(context: parts, model: model, store: store, firstNumber: number),
      ]
    }
    func change(_ count: Int, _ body: (inout RandomObjects, inout SeededGenerator) -> Void) {
      for world in worlds.indices {
        let changes = random.next()
        for place in worlds[world].indices {
          var random = SeededGenerator(seed: changes)
          for _ in 0..<count { body(&worlds[world][place], &random) }
        }
      }
    }
    change(12) { $0.insert(&$1) }
    let contexts = [whole.context, parts]
    for context in contexts { try context.save() }
    for step in 0..<3 {
      try compare(
        contexts, model, &random, cases: 40, "step \(step), SEED=\(seed), round \(round)")
      change(3) { $0.change(&$1) }
    }
  }

  private func compare(
    _ stacks: [Stack], _ model: RandomModel, _ random: inout SeededGenerator, cases: Int,
    _ where: String
  ) throws {
    try compare(stacks.map(\.context), model, &random, cases: cases, `where`)
  }

  private func compare(
    _ contexts: [ManagedObjectContext], _ model: RandomModel, _ random: inout SeededGenerator,
    cases: Int, _ where: String
  ) throws {
    let bindings = contexts[0].persistentStoreCoordinator.bindings
    var maker = RandomModelPredicate(model, bindings: bindings, seed: random.next())
    for _ in 0..<cases {
      let entity = bindings.randomElement(using: &random)!
      let made = maker.predicate([(.evaluatedObject, entity)], depth: 2)
      let predicate = try FetchPredicate(format: made.predicateFormat)
      try #require(predicate == made, "\(made), \(`where`)")
      var answers: [[Int64]] = []
      for context in contexts {
        var request = FetchRequest<ManagedObject>(entityName: entity.name)
        let all = try context.fetch(request)
        request.predicate = predicate
        answers.append(RandomObjects.numbers(try context.fetch(request)))
        answers.append(RandomObjects.numbers(try all.filtered(using: predicate)))
      }
      try #require(
        answers.allSatisfy { $0 == answers[0] },
        "\(entity.name): \(predicate): \(answers), \(`where`)")
    }
  }
}
