import DogWalkModel

/// Which of four levels the minutes of a day have in a calendar.
struct HeatScale: Hashable, Sendable {
  /// The minutes from which on the second, third and fourth level are.
  let bounds: [Double]

  /// How many levels there are, besides that of a day without a walk.
  static let levelCount = 4

  /// The scale of a tally: half of its target, the target and half as much again; without a target,
  /// quarters of the longest day.
  init(_ tally: WalkTally) {
    if let target = tally.target.map({ Double($0) }) {
      bounds = [(target / 2).rounded(), target, (target * 1.5).rounded()]
    } else {
      let most = (tally.days.compactMap { $0 }.max() ?? 0) / 60
      // In fives, where the days are long enough for that.
      let step = most >= 40 ? (most / 20).rounded(.up) * 5 : max(1, (most / 4).rounded(.up))
      bounds = [step, step * 2, step * 3]
    }
  }

  /// The level of a day, 0 where there was no walk.
  func level(ofSeconds seconds: Double?) -> Int {
    guard let seconds else { return 0 }
    return 1 + bounds.count { seconds >= $0 * 60 }
  }

  /// What a level means: `no walk`, `under 30 min`, `from 1 h`.
  func reading(ofLevel level: Int) -> String {
    switch level {
    case 0: "no walk"
    case 1: "under \(Duration.wholeMinutes(bounds[0] * 60).reading)"
    default: "from \(Duration.wholeMinutes(bounds[level - 2] * 60).reading)"
    }
  }
}
