import DogWalkModel

/// The scale of four levels for the minutes of a day in a calendar.
struct HeatScale: Hashable, Sendable {
  /// The lower bounds of the second, third and fourth level in minutes.
  let bounds: [Double]

  /// The number of levels, in addition to that of a day without a walk.
  static let levelCount = 4

  /// Creates the scale of a tally: half of its target, the target, and one and a half times it.
  ///
  /// Without a target these are quarters of the longest day.
  init(_ tally: WalkTally) {
    if let target = tally.target.map({ Double($0) }) {
      bounds = [(target / 2).rounded(), target, (target * 1.5).rounded()]
    } else {
      let most = (tally.days.compactMap { $0 }.max() ?? 0) / 60
      // Multiples of five, if the days are long enough.
      let step = most >= 40 ? (most / 20).rounded(.up) * 5 : max(1, (most / 4).rounded(.up))
      bounds = [step, step * 2, step * 3]
    }
  }

  /// Returns the level of a day, 0 without a walk.
  func level(ofSeconds seconds: Double?) -> Int {
    guard let seconds else { return 0 }
    return 1 + bounds.count { seconds >= $0 * 60 }
  }

  /// Returns the meaning of a level: `no walk`, `under 30 min`, `from 1 h`.
  func reading(ofLevel level: Int) -> String {
    switch level {
    case 0: "no walk"
    case 1: "under \(Duration.wholeMinutes(bounds[0] * 60).reading)"
    default: "from \(Duration.wholeMinutes(bounds[level - 2] * 60).reading)"
    }
  }
}
