import DogWalkModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ManagedObjects

/// What contexts that read and write concurrently may see, compared with what was committed
/// when.
///
/// Writers raise the durations of two walks together, by one second each time. So a state is
/// identified by its number, and both walks show the same one.
///
/// `STEPS=20000 SEED=… swift test --filter HistoryOfReadsTests` for a long run.
@Suite struct HistoryOfReadsTests {
  private static let steps =
    ProcessInfo.processInfo.environment["STEPS"].flatMap { Int($0) } ?? 100

  /// What was committed and read, in chronological order.
  private final class History: Sendable {
    /// How many raises were begun, and how many were acknowledged.
    let begun = Atomic(0)
    let acknowledged = Atomic(0)
    let reads = Atomic(0)
    let faults = Mutex<[String]>([])

    func note(_ fault: String) { faults.withLock { $0.append(fault) } }
  }

  /// One context's part, on a thread of its own.
  private struct Actor {
    let context: ManagedObjectContext
    let history: History
    /// The highest state that this context has seen, or made.
    var seen = 0

    mutating func raise() throws {
      try context.performWriting {
        try context.refreshAllObjects()
        let walks = try context.fetch(Walk.fetchRequest())
        let next = Int(walks[0].duration ?? 0) + 1
        for walk in walks { walk.duration = Double(next) }
        history.begun.add(1, ordering: .sequentiallyConsistent)
        try context.save()
        history.acknowledged.add(1, ordering: .sequentiallyConsistent)
        seen = next
      }
    }

    /// What is read: of one state, none older than what was acknowledged or seen before, none newer
    /// than what was begun.
    mutating func check(_ read: () throws -> [Int], _ what: String) throws {
      let least = max(seen, history.acknowledged.load(ordering: .sequentiallyConsistent))
      let states = try read()
      let most = history.begun.load(ordering: .sequentiallyConsistent)
      history.reads.add(1, ordering: .relaxed)
      guard let state = states.first, Set(states).count == 1 else {
        return history.note("\(what): states \(states) in one reading")
      }
      if state < least { history.note("\(what): \(state) was read after \(least)") }
      if state > most { history.note("\(what): \(state) was read, and \(most) were begun") }
      seen = max(seen, state)
    }

    private static func durations(_ context: ManagedObjectContext) throws -> [Int] {
      try context.fetch(Walk.fetchRequest()).map { Int($0.duration ?? 0) }
    }

    mutating func step(_ random: inout SeededGenerator) throws {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try raise()
      case 1:
        let context = context
        try check(
          {
            try context.refreshAllObjects()
            return try Self.durations(context)
          }, "a fetch")
      case 2:
        let context = context
        try check(
          {
            try context.performReading {
              try context.refreshAllObjects()
              let first = try Self.durations(context)
              try context.refreshAllObjects()
              return first + (try Self.durations(context))
            }
          }, "performReading")
      case 3:
        let context = context
        try check(
          {
            try context.refreshAllObjects()
            let cursor = try context.cursor(for: Walk.fetchRequest())
            var states: [Int] = []
            while let walk = try cursor.next() { states.append(Int(walk.duration ?? 0)) }
            return states
          }, "a cursor")
      case 4:
        let context = context
        try check(
          {
            let walks = try context.fetch(Walk.fetchRequest())
            // Faults that are fired in a pinned state.
            return try context.performReading {
              try context.refreshAllObjects()
              return walks.map { Int($0.duration ?? 0) }
            }
          }, "faults")
      default:
        let context = context
        try check(
          {
            var request = FetchRequest<Walk>(entityName: "Walk")
            request.propertiesToFetch = ["duration"]
            return try context.fetchDictionaries(request).map { row in
              if case .double(let duration)? = row["duration"] { Int(duration) } else { 0 }
            }
          }, "dictionaries")
      }
    }
  }

  @Test(
    arguments: [
      (PersistentStore.StoreType.sqlite, 1), (.sqlite, 2), (.inMemory, 1), (.xml, 1), (.xml, 2),
    ])
  func `every context sees consistent states, its own saves, and never goes back in time`(
    type: PersistentStore.StoreType, coordinators: Int
  ) throws {
    let seed = SeededGenerator.seed()
    let folder = try StoreFolder()
    defer { withExtendedLifetime(folder) {} }
    // To each other, the coordinators are like separate processes.
    let containers = try (0..<coordinators).map { number in
      var options = PersistentStoreOptions()
      options.maximumReaderCount = 3
      options.busyTimeout = 300
      let container = try PersistentContainer(
        name: "Test", model: .dogWalk, storeURL: type == .inMemory ? nil : folder.store,
        type: type, options: options)
      if number == 0 {
        let context = container.newBackgroundContext()
        let dog = try Dog.findOrCreate(named: "Fido", in: context)
        for _ in 0..<2 { dog.addToWalks(Walk(minutes: 0, in: context)) }
        try context.save()
      }
      return container
    }
    let history = History()
    let done = DispatchGroup()
    for number in 0..<6 {
      done.enter()
      let container = containers[number % coordinators]
      Thread {
        defer { done.leave() }
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        var actor = Actor(context: container.newBackgroundContext(), history: history)
        do {
          for _ in 0..<Self.steps { try actor.step(&random) }
        } catch {
          history.note("\(error)")
        }
      }.start()
    }
    done.wait()
    let faults = history.faults.withLock { $0 }
    #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(5))")
    #expect(history.acknowledged.load(ordering: .relaxed) > 10)
    #expect(history.reads.load(ordering: .relaxed) > 50)
  }
}
