import DogWalkModel
import ManagedObjects
import SystemLibraries

/// The walks that the benchmarks write, by number.
///
/// `writing.c` and `server.c` write the same: keep them in sync.
enum SampleWalk {
  private static let notes = [
    "Through the park and back", "Met Rex at the pond", "Rain all the way, and he loved it",
    "Short one", "Along the river to the mill and home over the hill",
  ]

  /// Sets all attributes of a walk.
  static func fill(_ walk: Walk, number i: Int) {
    walk.date = Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(i) * 60)
    walk.distance = 1000.5 + Double(i % 3000)
    walk.duration = 600 + Double(i % 3600)
    walk.note = notes[i % 5]
    walk.isOngoing = false
    walk.peeCount = Int16(i % 4)
    walk.pooCount = Int16(i % 3)
    walk.utcOffset = 3600
    walk.uuid = uuid(number: i)
  }

  private static func uuid(number i: Int) -> UUID {
    let low = UInt8(truncatingIfNeeded: i)
    let middle = UInt8(truncatingIfNeeded: i >> 8)
    let high = UInt8(truncatingIfNeeded: i >> 16)
    return UUID(uuid: (low, middle, high, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, low & 0x7f))
  }
}
