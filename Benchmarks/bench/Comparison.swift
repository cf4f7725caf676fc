/// Two ways of doing the same work, timed in turn.
struct Comparison {
  private(set) var ours: [Double] = []
  private(set) var yardstick: [Double] = []

  /// Times both in turn, one after the other in every round, after a round that is thrown away.
  ///
  /// Each of the two does its work and returns how long the part took that counts.
  init(
    rounds: Int,
    ours measureOurs: () throws -> Duration,
    yardstick measureYardstick: () throws -> Duration
  ) throws {
    for round in 0...rounds {
      let mine = try measureOurs().milliseconds
      let other = try measureYardstick().milliseconds
      if round > 0 {
        ours.append(mine)
        yardstick.append(other)
      }
    }
  }

  /// The ratio of the medians, beside the least and the greatest ratio of a round.
  func result(_ name: String, bar: Double?) -> Result {
    let ratios = zip(ours, yardstick).map { $0 / $1 }
    return Result(
      name: name,
      ours: ours.median.fixed(2) + " ms",
      yardstick: yardstick.median.fixed(2) + " ms",
      value: ours.median / yardstick.median,
      range: (ratios.min() ?? 0)...(ratios.max() ?? 0),
      bar: bar)
  }
}

extension [Double] {
  /// The middle one, or the mean of the middle two; 0 where there is none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
