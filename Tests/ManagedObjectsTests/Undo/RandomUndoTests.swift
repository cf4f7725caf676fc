import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random work, undone, redone and saved at random, compared with every state it passed through.
@Suite struct RandomUndoTests {
  @Test(arguments: Stack.allTypes)
  func `undo and redo pass through the states of a list`(
    type: PersistentStore.StoreType
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    let manager = ContextUndoManager()
    stack.context.undoManager = manager
    var work = RandomWork(context: stack.context)
    var states = [work.expected]
    var place = 0
    for step in 0..<1_500 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        #expect(manager.canUndo == (place > 0), "step \(step) of SEED=\(seed)")
        stack.context.undo()
        place = max(place - 1, 0)
        work.expected = states[place]
      case 2:
        #expect(manager.canRedo == (place < states.count - 1), "step \(step) of SEED=\(seed)")
        stack.context.redo()
        place = min(place + 1, states.count - 1)
        work.expected = states[place]
      default:
        try work.step(&random)
        if work.hasSaved {
          try #require(
            try RandomWork.contents(of: stack.anotherContext()) == work.expected,
            "saved at step \(step) of SEED=\(seed)")
        }
        stack.context.processPendingChanges()
        if work.hasRolledBack {
          states = [work.expected]
          place = 0
        } else if work.expected != states[place] {
          states = Array(states[...place]) + [work.expected]
          place += 1
        }
      }
      // Only now and then: checking reads every list, and unread ones are to be tested too.
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      try #require(
        try RandomWork.contents(of: stack.context) == work.expected,
        "step \(step) of SEED=\(seed)")
    }
    try stack.context.save()
    #expect(
      try RandomWork.contents(of: stack.anotherContext()) == work.expected, "SEED=\(seed)")
    guard type == .sqlite, StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n", "SEED=\(seed)")
  }

  @Test(
    .enabled(if: !FixtureModel.all.isEmpty, "../shared/fixtures or python3 is missing"),
    arguments: FixtureModel.all)
  func `any model's objects return to the first state and advance to the last`(
    fixture: FixtureModel
  ) throws {
    let derives = fixture.model.entities.contains { $0.attributes.contains(where: \.isDerived) }
    for type in Stack.allTypes where type.derives || !derives {
      let seed = SeededGenerator.seed()
      var random = SeededGenerator(seed: seed)
      let stack = try Stack(type, model: fixture.model)
      let context = stack.context
      var work = RandomModelWork(context: context, model: fixture.model)
      for _ in 0..<60 { work.step(&random) }
      work.save()
      let manager = ContextUndoManager()
      context.undoManager = manager
      var names = ObjectNames()
      var states = [try names.contents(of: context, fixture.model)]
      for event in 0..<40 {
        for _ in 0..<Int.random(in: 1...12, using: &random) { work.step(&random) }
        context.processPendingChanges()
        let state = try names.contents(of: context, fixture.model)
        if manager.undoStack.count == states.count { states.append(state) }
        // What the model forbids cannot be saved, and need not be.
        if event % 4 == 3 { try? context.save() }
        #expect(state == states.last, "event \(event) of SEED=\(seed)")
      }
      var place = states.count - 1
      for step in 0..<(states.count * 3) {
        let isBack = step < states.count ? true : Bool.random(using: &random)
        if isBack { context.undo() } else { context.redo() }
        place = min(max(place + (isBack ? -1 : 1), 0), states.count - 1)
        if step % 5 == 4 { try? context.save() }
        let state = try names.contents(of: context, fixture.model)
        let isRight = state == states[place]
        try #require(
          isRight,
          "\(type) at \(place), step \(step) of SEED=\(seed): \(difference(state, states[place]))")
      }
    }
  }

  private func difference(_ one: [String], _ other: [String]) -> String {
    let (here, there) = (Set(one), Set(other))
    return "\(here.subtracting(there).sorted()) instead of \(there.subtracting(here).sorted())"
  }
}

/// Numbers objects as they are first seen, since their keys change when they are saved.
private struct ObjectNames {
  private var names: [ObjectIdentifier: Int] = [:]
  // So that no address is reused.
  private var held: [ManagedObject] = []

  private mutating func name(_ object: ManagedObject) -> Int {
    if let known = names[ObjectIdentifier(object)] { return known }
    held.append(object)
    names[ObjectIdentifier(object)] = held.count
    return held.count
  }

  /// Every object's values and relationships.
  mutating func contents(
    of context: ManagedObjectContext, _ model: ManagedObjectModel
  ) throws -> [String] {
    var objects: [ManagedObject] = []
    for entity in model.entitiesInNumberOrder {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      objects += try context.fetch(request)
    }
    let present = Set(objects)
    return objects.map { line($0, among: present) }.sorted()
  }

  /// Omits relationships that a deletion leaves dangling: their destinations may be missing.
  private mutating func line(_ object: ManagedObject, among present: Set<ManagedObject>) -> String {
    let binding = object._entity.binding
    var words = ["\(binding.name) \(name(object)):"]
    for (slot, content) in binding.slots.enumerated() {
      guard case .attribute(let attribute) = content, !attribute.isDerived,
        let value = object.row.value(at: slot, type: attribute.type)
      else { continue }
      words.append("\(attribute.name)=\(value)")
    }
    for toOne in binding.toOnes
    where isKept(toOne.description, by: toOne.inverse, object, toOne.destination) {
      guard let other = object.toOne(toOne.slot), present.contains(other) else { continue }
      words.append("\(toOne.description.name)=\(name(other))")
    }
    for toMany in binding.toManys
    where isKept(toMany.description, by: toMany.inverse, object, toMany.destination) {
      var members = object.loadedMembers(of: toMany).filter { present.contains($0) }
        .map { name($0) }
      if !toMany.description.isOrdered { members.sort() }
      words.append("\(toMany.description.name)=\(members)")
    }
    return words.joined(separator: " ")
  }

  private func isKept(
    _ relationship: RelationshipDescription, by inverse: EntityBinding.Inverse,
    _ object: ManagedObject, _ destination: Int
  ) -> Bool {
    // A list without an inverse drops deleted members when it is read.
    if case .none = inverse, relationship.isToMany { return false }
    let other = object.requiredContext.binding(at: destination)
    let rules = [relationship.deleteRule, other.rule(of: inverse)]
    return rules.allSatisfy { $0 == .nullify || $0 == .cascade }
  }
}

extension EntityBinding {
  fileprivate func rule(of inverse: Inverse) -> RelationshipDescription.DeleteRule? {
    switch inverse {
    case .none: nil
    case .toOne(let slot): toOnesBySlot[slot]?.description.deleteRule
    case .toMany(let number): toManys[number].description.deleteRule
    }
  }
}
