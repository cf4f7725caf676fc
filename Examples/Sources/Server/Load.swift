import Foundation
import ManagedObjects

/// Ten thousand requests from eight clients, alone and with a concurrent writer.
struct Load {
  private static let requestCount = 10_000
  private static let clientCount = 8
  private static let dogCount = 20

  let container: PersistentContainer

  /// Prints the rate of requests, and the time of the slowest.
  func run() async throws {
    try await fill()
    // The first requests also open connections and prepare statements.
    _ = try await times()
    report("nobody writes", try await times())
    let writer = Task { try await write() }
    let besideWriter = try await times()
    writer.cancel()
    let saves = try await writer.value
    report("beside a writer", besideWriter)
    print("  the writer saved \(saves) times, \(Writer.walkCount) walks each")
  }

  private func fill() async throws {
    let kennel = Kennel(container)
    for index in 0..<Self.dogCount * 20 {
      let walk = Request.NewWalk(
        dog: Self.name(index), date: Date(timeIntervalSinceReferenceDate: Double(index) * 3600),
        minutes: 30)
      _ = await kennel.answer(.add(walk))
    }
  }

  private static func name(_ index: Int) -> String { "Dog \(index % dogCount)" }

  /// Returns the seconds for each request, the fastest first, and for all of them.
  private func times() async throws -> (each: [Double], all: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let each = try await withThrowingTaskGroup(of: [Double].self) { group in
      for number in 0..<Self.clientCount {
        let client = Client(kennel: Kennel(container))
        group.addTask {
          var times: [Double] = []
          for index in 0..<Self.requestCount / Self.clientCount {
            let start = clock.now
            let response = try await client.send(.walks(dog: Self.name(number + index)))
            times.append((clock.now - start) / .seconds(1))
            guard case .walks(let walks) = response, walks.count == 20 else {
              fatalError("A request was answered with \(response).")
            }
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return (each.sorted(), (clock.now - start) / .seconds(1))
  }

  /// Saves until the task is cancelled; returns the number of saves.
  private func write() async throws -> Int {
    let writer = Writer(container)
    var saves = 0
    while !Task.isCancelled {
      try await writer.save()
      saves += 1
    }
    return saves
  }

  private func report(_ name: String, _ times: (each: [Double], all: Double)) {
    func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1000) }
    let count = times.each.count
    print("\(count) requests, \(name): \(Int(Double(count) / times.all)) a second")
    print(
      "  half of them within \(milliseconds(times.each[count / 2])), 99 of 100 within "
        + "\(milliseconds(times.each[count * 99 / 100])), the slowest "
        + milliseconds(times.each[count - 1]))
  }
}

/// Saves many walks at once, like an import.
private actor Writer {
  static let walkCount = 1_000
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) { context = container.newBackgroundContext() }

  func save() throws {
    let dog = try context.findOrCreate(Dog.self, where: "name", equals: .string("Guest"))
    for index in 0..<Self.walkCount {
      let walk = Walk(context: context)
      walk.dog = dog
      walk.date = Date(timeIntervalSinceReferenceDate: Double(index))
      walk.minutes = 30
    }
    try context.save()
    context.reset()
  }
}
