import CommandLineKit
import DogWalkModel

/// How wide the columns of a table of walks have to be: found by looking at each walk once.
struct WalkColumns {
  /// That of the walks' numbers.
  private(set) var number = 0
  /// That of their lengths; 0 where no walk has one.
  private(set) var duration = 0
  private var dog = 0
  private var dogs: Set<String> = []
  private var lengths: Set<Double> = []

  /// Takes a walk into account.
  mutating func take(_ walk: Walk) {
    number = max(number, String(walk.number).utf8.count)
    if dogs.insert(walk.dog?.name ?? "").inserted {
      dog = max(dog, walk.shownDogName.displayWidth)
    }
    // Walks have few different lengths, and working out how wide one is takes a while.
    guard walk.isOngoing || lengths.insert(walk.seconds ?? 0).inserted else { return }
    duration = max(duration, Self.duration(of: walk).displayWidth)
  }

  /// That of the dogs, which leaves room for the rest on a terminal.
  func dog(on terminal: Terminal) -> Int { min(dog, max(8, terminal.columns / 4)) }

  /// How long a walk was, as its column says it.
  static func duration(of walk: Walk) -> String {
    walk.isOngoing ? "going on" : walk.seconds.map { Duration.seconds($0).reading } ?? ""
  }
}
