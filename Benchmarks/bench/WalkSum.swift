import CBaseline
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Sums of all attributes of walks, so that no read can be optimised away and both sides can be
/// compared.
struct WalkSum: Equatable {
  private var rows = 0
  private var integers = 0
  private var reals = 0.0
  private var textBytes = 0
  private var uuidBytes = 0

  init() {}

  init(rows: Int, integers: Int, reals: Double, textBytes: Int, uuidBytes: Int) {
    self.rows = rows
    self.integers = integers
    self.reals = reals
    self.textBytes = textBytes
    self.uuidBytes = uuidBytes
  }

  init(_ sum: CBaselineSum) {
    self.init(
      rows: Int(sum.rows), integers: Int(sum.integers), reals: sum.reals,
      textBytes: Int(sum.text_bytes), uuidBytes: Int(sum.uuid_bytes))
  }

  /// Reads every attribute of a walk as a value that a caller could keep.
  mutating func add(_ walk: Walk) {
    rows += 1
    integers += walk.isOngoing ? 1 : 0
    integers += Int(walk.peeCount ?? 0) + Int(walk.pooCount ?? 0) + Int(walk.utcOffset ?? 0)
    reals += walk.date.timeIntervalSinceReferenceDate + (walk.distance ?? 0) + (walk.duration ?? 0)
    textBytes += walk.note?.utf8.count ?? 0
    if let uuid = walk.uuid?.uuid { uuidBytes += Int(uuid.0) + Int(uuid.15) }
  }
}
