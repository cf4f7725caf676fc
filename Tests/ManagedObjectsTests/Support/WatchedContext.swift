import DogWalkModel
import Foundation
import TestSupport

@testable import ManagedObjects

/// Random work in one context, with controllers and observers that are added and removed.
final class WatchedContext {
  let name: String
  let context: ManagedObjectContext
  private var controllers: [WatchedResults] = []
  private var witnesses: [EventWitness] = []
  private var controllerCount: Int
  private(set) var saves = 0
  private(set) var undoings = 0
  private(set) var steps = 0

  init(_ context: ManagedObjectContext, name: String, _ random: inout SeededGenerator) {
    self.context = context
    self.name = name
    controllerCount = Int.random(in: 0..<7, using: &random)
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = .mergeByPropertyObjectTrump
    if Bool.random(using: &random) { context.undoManager = ContextUndoManager() }
  }

  /// What the watchers have missed or invented, once an event has ended; nil if nothing.
  func fault() throws -> String? {
    context.processPendingChanges()
    let walks = try context.fetch(Walk.fetchRequest())
    for controller in controllers {
      if let fault = controller.fault(among: walks) {
        return "controller \(controller.number) of \(name): \(fault)"
      }
    }
    return witnesses.lazy.compactMap { $0.fault(among: walks) }.first.map { "\(name) \($0)" }
  }

  // MARK: Work

  /// Does something while watchers are added and removed.
  func work(_ random: inout SeededGenerator) throws {
    switch Int.random(in: 0..<30, using: &random) {
    case 0...1: try addController()
    case 2 where !controllers.isEmpty: dropController(&random)
    case 3 where !controllers.isEmpty:
      try controllers.randomElement(using: &random)?.performFetch()
    case 4: witnesses.append(try EventWitness(context, inEvent: Bool.random(using: &random)))
    case 5 where !witnesses.isEmpty: witnesses.removeFirst()
    case 6: context.processPendingChanges()
    default: try change(&random)
    }
  }

  private func addController() throws {
    controllerCount += 1
    controllers.append(try WatchedResults(context, number: controllerCount))
  }

  private func dropController(_ random: inout SeededGenerator) {
    let place = controllers.indices.randomElement(using: &random)!
    steps += controllers.remove(at: place).steps
  }

  private func change(_ random: inout SeededGenerator) throws {
    let walk = try someWalk(&random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0...4: try addWalk(&random)
    case 5...6: walk?.duration = Double(Int.random(in: 1...60, using: &random) * 60)
    case 7...8: walk?.note = ["a", "b", "c"].randomElement(using: &random)
    case 9...10: if let walk, let dog = try someDog(&random) { walk.dog = dog }
    case 11...12: if let walk { context.delete(walk) }
    case 13: try someDog(&random)?.targetMinutes = Int16.random(in: 1...40, using: &random)
    case 14: try someDog(&random)?.name = "\(Int.random(in: 10...99, using: &random))"
    case 15: try addDog(&random)
    case 16: if let dog = try someDog(&random) { context.delete(dog) }
    case 17: if let walk { try context.refresh(walk, mergeChanges: Bool.random(using: &random)) }
    case 18 where Int.random(in: 0..<4, using: &random) == 0: try context.refreshAllObjects()
    case 19 where Int.random(in: 0..<3, using: &random) == 0: context.rollback()
    case 20: try context.obtainPermanentIDs(for: context.insertedObjects)
    case 21...22: undo(&random)
    default: try save()
    }
  }

  private func undo(_ random: inout SeededGenerator) {
    guard context.undoManager != nil else { return }
    undoings += 1
    if Bool.random(using: &random) { context.undo() } else { context.redo() }
  }

  /// Saves, or discards what cannot be saved.
  func save() throws {
    do {
      try context.save()
      saves += 1
    } catch is ValidationError {
      context.rollback()
    } catch is ConflictError {
      context.rollback()
    }
  }

  /// Stops watching.
  func close() {
    for controller in controllers { steps += controller.steps }
    (controllers, witnesses) = ([], [])
    context.undoManager = nil
  }

  // MARK: Objects

  private func someWalk(_ random: inout SeededGenerator) throws -> Walk? {
    try context.fetch(Walk.fetchRequest()).randomElement(using: &random)
  }

  private func someDog(_ random: inout SeededGenerator) throws -> Dog? {
    try context.fetch(Dog.fetchRequest()).randomElement(using: &random)
  }

  private func addWalk(_ random: inout SeededGenerator) throws {
    let walk = Walk(context: context)
    walk.date = Date(timeIntervalSinceReferenceDate: 0)
    walk.duration = Double(Int.random(in: 1...60, using: &random) * 60)
    walk.note = ["a", "b", "c"].randomElement(using: &random)
    walk.dog = try someDog(&random)
  }

  /// Finds a dog of a few, or makes it; without looking now and then, so that two have one key.
  private func addDog(_ random: inout SeededGenerator) throws {
    let number = Int.random(in: 0..<8, using: &random)
    guard Bool.random(using: &random) else {
      _ = try Dog.findOrCreate(named: "\(number)", in: context)
      return
    }
    let dog = Dog(context: context)
    (dog.nameKey, dog.name) = ("\(number)", "\(number)")
  }
}
