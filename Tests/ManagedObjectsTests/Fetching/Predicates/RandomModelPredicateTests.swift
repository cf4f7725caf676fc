import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random models, objects and predicates: every evaluator says the same.
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

  private func compare(
    _ stacks: [Stack], _ model: RandomModel, _ random: inout SeededGenerator, cases: Int,
    _ where: String
  ) throws {
    let bindings = stacks[0].container.persistentStoreCoordinator.bindings
    var maker = RandomModelPredicate(model, bindings: bindings, seed: random.next())
    for _ in 0..<cases {
      let entity = bindings.randomElement(using: &random)!
      let made = maker.predicate([(.evaluatedObject, entity)], depth: 2)
      let predicate = try FetchPredicate(format: made.predicateFormat)
      try #require(predicate == made, "\(made), \(`where`)")
      var answers: [[Int64]] = []
      for stack in stacks {
        var request = FetchRequest<ManagedObject>(entityName: entity.name)
        let all = try stack.context.fetch(request)
        request.predicate = predicate
        answers.append(RandomObjects.numbers(try stack.context.fetch(request)))
        answers.append(RandomObjects.numbers(try all.filtered(using: predicate)))
      }
      try #require(
        answers.allSatisfy { $0 == answers[0] },
        "\(entity.name): \(predicate): \(answers), \(`where`)")
    }
  }
}
