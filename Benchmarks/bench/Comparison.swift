/// Two ways of doing the same work, measured alternately.
struct Comparison {
  private(set) var ours: [Double] = []
  private(set) var yardstick: [Double] = []

  /// Measures both alternately in every round, after a first round that is discarded.
  ///
  /// Each closure does its work and returns the duration of the relevant part.
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

  /// Returns the ratio of the medians, with the minimum and maximum ratio of the rounds.
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
  /// The median; 0 if there are no values.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
