import CommandLineKit
import DogWalkModel
import ManagedObjects

/// How wide the columns of a table of walks have to be: found by looking at each walk once.
struct WalkColumns {
  /// That of the walks' numbers.
  private(set) var number = 0
  /// Whether a line is about several walks.
  private(set) var hasOutings = false
  /// That of their lengths; 0 where no walk has one.
  private(set) var duration = 0
  private var dog = 0
  private var dogs: Set<[ManagedObjectID?]> = []
  private var lengths: Set<Double> = []
  private var outings = OutingGatherer()

  /// Takes a walk into account.
  mutating func take(_ walk: Walk) {
    for outing in outings.take(walk) { for row in outing.tableRows { take(row) } }
  }

  /// Takes the last walks into account, behind which no more come.
  mutating func end() {
    for outing in outings.end() { for row in outing.tableRows { take(row) } }
  }

  private mutating func take(_ outing: Outing) {
    hasOutings = hasOutings || outing.walks.count > 1
    number = max(number, outing.numbersReading.utf8.count)
    if dogs.insert(outing.walks.map { $0.dog?.objectID }).inserted {
      dog = max(dog, outing.dogsReading.displayWidth)
    }
    // Walks have few different lengths, and working out how wide one is takes a while.
    let walk = outing.walk
    guard walk.isOngoing || lengths.insert(walk.seconds ?? 0).inserted else { return }
    duration = max(duration, Self.duration(of: walk).displayWidth)
  }

  /// The narrowest column of dogs: `4 dogs` is still read.
  private static let leastDog = 8

  /// That of the dogs, which leaves room for the rest on a terminal.
  func dog(on terminal: Terminal) -> Int {
    let room = terminal.columns - besideDog - (duration > 0 ? duration + 2 : 0)
    return min(dog, max(Self.leastDog, min(terminal.columns / 4, room)))
  }

  /// That of the lengths: of one that is longer than a narrow terminal has room for, the others
  /// keep their place.
  func duration(on terminal: Terminal) -> Int {
    min(duration, max(0, terminal.columns - besideDog - dog(on: terminal) - 2))
  }

  /// What numbers, times and the gaps between them take.
  private var besideDog: Int { number + 2 + ClockTime.emptyColumn.displayWidth + 2 }

  /// How long a walk was, as its column says it.
  static func duration(of walk: Walk) -> String {
    walk.isOngoing ? "going on" : walk.seconds.map { Duration.seconds($0).reading } ?? ""
  }
}
