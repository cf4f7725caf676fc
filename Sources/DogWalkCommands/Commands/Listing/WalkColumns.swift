import CommandLineKit
import DogWalkModel
import ManagedObjects

/// The widths of the columns in a table of walks, determined by reading each walk once.
struct WalkColumns {
  /// The width of the walks' numbers.
  private(set) var number = 0
  /// Whether a line contains several walks.
  private(set) var hasOutings = false
  /// The width of the lengths; 0 if no walk has one.
  private(set) var duration = 0
  private var dog = 0
  private var dogs: Set<[ManagedObjectID?]> = []
  private var lengths: Set<Double> = []
  private var outings = OutingGatherer()

  /// Adds a walk.
  mutating func take(_ walk: Walk) {
    for outing in outings.take(walk) { for row in outing.tableRows { take(row) } }
  }

  /// Adds the last walks; none may follow.
  mutating func end() {
    for outing in outings.end() { for row in outing.tableRows { take(row) } }
  }

  private mutating func take(_ outing: Outing) {
    hasOutings = hasOutings || outing.walks.count > 1
    number = max(number, outing.numbersReading.utf8.count)
    if dogs.insert(outing.walks.map { $0.dog?.objectID }).inserted {
      dog = max(dog, outing.dogsReading.displayWidth)
    }
    // Walks have few different lengths, and computing the width of one is slow.
    let walk = outing.walk
    guard walk.isOngoing || lengths.insert(walk.seconds ?? 0).inserted else { return }
    duration = max(duration, Self.duration(of: walk).displayWidth)
  }

  /// The minimum width of the dogs, enough for `4 dogs`.
  private static let leastDog = 8
  /// The minimum width of the dogs where there is no room for that.
  private static let leastDogInNarrowTerminal = 4

  /// Returns the width of the dogs, which leaves space for the other columns on a terminal.
  func dog(on terminal: Terminal) -> Int {
    let room = terminal.columns - besideDog - (duration > 0 ? duration + 2 : 0)
    let least = min(Self.leastDog, max(Self.leastDogInNarrowTerminal, room))
    return min(dog, max(least, min(terminal.columns / 4, room)))
  }

  /// Returns the width of the lengths on a terminal; a longer one exceeds its column.
  func duration(on terminal: Terminal) -> Int {
    min(duration, max(0, terminal.columns - besideDog - dog(on: terminal) - 2))
  }

  /// The width of numbers, times and the gaps between them.
  private var besideDog: Int { number + 2 + ClockTime.emptyColumn.displayWidth + 2 }

  /// Returns the length of a walk as its column shows it.
  static func duration(of walk: Walk) -> String {
    walk.isOngoing ? "going on" : walk.seconds.map { Duration.seconds($0).reading } ?? ""
  }
}
