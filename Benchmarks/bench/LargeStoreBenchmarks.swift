import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Fetches of a few walks among 10,000,000, compared with 100,000, both on a disk.
///
/// The large store needs 2 GB on the disk, and creating it takes some minutes and 6 GB of memory.
struct LargeStoreBenchmarks {
  /// The path of the program.
  let program: String
  /// The folder of the stores, which are kept for later runs.
  let folder: String

  private static let dogs = 10
  private let clock = ContinuousClock()
  private let repetitions = 200

  func run() throws -> [Result] {
    let large = try store(walks: 10_000_000)
    let small = try store(walks: 100_000)
    let names = [
      (["list", "--limit", "50"], 21), (["dogs"], 21), (["list", "--dog", "Fido", "--week"], 21),
    ]
    return try [newest(large, small), week(large, small)]
      + names.map { words, rounds in
        try Comparison(rounds: rounds) {
          try command(words, on: large)
        } yardstick: {
          try command(words, on: small)
        }
        .result(
          "dogwalk \(words.joined(separator: " ")), 10,000,000 walks / 100,000", bar: 1.5)
      }
  }

  /// A store whose walks begin at intervals of a minute.
  private struct Store {
    let path: String
    let walks: Int

    /// A date just after the last walk.
    var end: Double { 800_000_000 + Double(walks) * 60 }
  }

  private func store(walks: Int) throws -> Store {
    let store = Store(path: "\(folder)/\(walks).sqlite", walks: walks)
    if !FileManager.default.fileExists(atPath: store.path) {
      try FileManager.default.createDirectory(
        at: URL(filePath: folder), withIntermediateDirectories: true)
      try ChildProcess.run(
        CommandLine.arguments[0], ["seed", store.path, String(Self.dogs), String(walks)])
    }
    return store
  }

  // MARK: The library

  private func newest(_ large: Store, _ small: Store) throws -> Result {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    request.fetchLimit = 20
    return try Comparison(rounds: 7) {
      try fetch(request, from: large)
    } yardstick: {
      try fetch(request, from: small)
    }
    .result("\(repetitions) × newest 20 of 10,000,000 walks / of 100,000", bar: 1.5)
  }

  private func week(_ large: Store, _ small: Store) throws -> Result {
    func request(_ store: Store) -> FetchRequest<Walk> {
      var request = Walk.fetchRequest()
      request.predicate = .all([
        .comparison("dog.nameKey", .equal, .string("fido")),
        .comparison(
          "date", .greaterThanOrEqual,
          .date(Date(timeIntervalSinceReferenceDate: store.end - 7 * 86_400))),
      ])
      request.sortDescriptors = [.init(key: "date")]
      return request
    }
    return try Comparison(rounds: 7) {
      try fetch(request(large), from: large)
    } yardstick: {
      try fetch(request(small), from: small)
    }
    .result("\(repetitions) × a dog's walks of a week among 10,000,000 / 100,000", bar: 1.5)
  }

  private func fetch(_ request: FetchRequest<Walk>, from store: Store) throws -> Duration {
    let context = try SampleStore.context(at: store.path)
    var fetched = 0
    let duration = try clock.measure {
      for _ in 0..<repetitions { fetched += try context.fetch(request).count }
    }
    precondition(fetched >= 20 * repetitions, "not all walks were found")
    return duration
  }

  // MARK: The program

  private func command(_ words: [String], on store: Store) throws -> Duration {
    let now = Date(timeIntervalSinceReferenceDate: store.end).formatted(.iso8601)
    return try ChildProcess.run(
      program, words,
      environment: [
        "DOGWALK_STORE=\(store.path)", "DOGWALK_NOW=\(now)", "TZ=UTC", "LC_ALL=C",
      ]
    ).duration
  }
}
