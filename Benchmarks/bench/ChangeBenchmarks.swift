import CBaseline
import DogWalkModel
import ManagedObjects

/// Changes whose cost depends on the objects already in the context.
extension LibraryBenchmarks {
  /// Measures deleting all walks of ten out of a hundred dogs, after both sides have read all
  /// walks.
  ///
  /// The C side has no relationships, so it only deletes the rows.
  func deletionFromReadLists(in full: SampleStore, bar: Double) throws -> Result {
    try Comparison(rounds: rounds) {
      let store = try full.copy()
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      let dogs = try context.fetch(Dog.fetchRequest())
      let walks = dogs.flatMap(\.walks).prefix(changed)
      let duration = try clock.measure {
        try context.performWriting {
          for walk in walks { context.delete(walk) }
          try context.save()
        }
      }
      precondition(dogs.map(\.walks.count).reduce(0, +) == 100_000 - changed)
      return duration
    } yardstick: {
      let store = try full.copy()
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      let walks = try baseline.fetchWalks(sum: &sum)
      let count = walks.sort(dogs: 10)
      precondition(count == changed)
      return try clock.measure { try baseline.delete(walks, first: count) }
    }
    .result("delete 10,000 walks from lists that were read, one save", bar: bar)
  }

  func findOrCreate(bar: Double) throws -> Result {
    let count = 1_000
    // "Fido" and "dog 2" to "dog 100" exist already.
    let known = try SampleStore(dogs: 100, walks: 0)
    return try Comparison(rounds: rounds) {
      let store = try known.copy()
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      return try clock.measure {
        try context.performReading {
          for number in 1...count {
            let dog = try context.findOrCreate(
              Dog.self, where: "nameKey", equals: .string("dog \(number)"))
            if dog.isInserted { dog.name = "dog \(number)" }
          }
        }
        try context.save()
      }
    } yardstick: {
      let store = try known.copy()
      let baseline = try store.makeBaseline()
      return try clock.measure { try baseline.findOrCreateDogs(count) }
    }
    .result("find or create 1,000 dogs by name, 99 are there, one save", bar: bar)
  }

  /// Measures the time for 1,000 out of 10,000 changes that are undone, compared with 1,000 in
  /// total.
  func undo(bar: Double) throws -> Result {
    func changeAndUndo(_ count: Int) throws -> Duration {
      let store = try SampleStore(dogs: 1, walks: 0)
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      context.undoManager = ContextUndoManager()
      let walks = (0..<count).map { _ in Walk(context: context) }
      let dog = try context.fetch(Dog.fetchRequest())[0]
      for walk in walks { dog.addToWalks(walk) }
      context.processPendingChanges()
      let duration = clock.measure {
        for (number, walk) in walks.enumerated() {
          walk.duration = Double(number)
          context.processPendingChanges()
        }
        for _ in walks { context.undo() }
      }
      precondition(walks.allSatisfy { $0.duration == nil } && dog.walks.count == count)
      return duration / (count / 1_000)
    }
    return try Comparison(rounds: rounds) {
      try changeAndUndo(10_000)
    } yardstick: {
      try changeAndUndo(1_000)
    }
    .result("undo 10,000 changes, 1,000 of them / 1,000 changes", bar: bar)
  }
}
