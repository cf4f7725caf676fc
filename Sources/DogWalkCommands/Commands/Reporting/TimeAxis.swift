/// The scale of bars of minutes: round numbers from 0 to at least the longest bar.
struct TimeAxis: Hashable, Sendable {
  /// The minutes at the top.
  let most: Double
  /// The minutes between two lines.
  let step: Double

  /// Creates a scale up to at least a number of minutes.
  init(upTo minutes: Double) {
    let most = max(minutes, 10)
    let steps: [Double] = [5, 10, 15, 30, 60, 120, 180, 300, 600, 1200, 1800, 3000, 6000]
    // Monthly bars of a hundred years need an even larger step.
    step = steps.first { most / $0 <= 4 } ?? (most / 4 / 6000).rounded(.up) * 6000
    self.most = (most / step).rounded(.up) * step
  }

  /// The lines from the bottom up: minutes and labels.
  var ticks: [(minutes: Double, label: String)] {
    stride(from: 0, through: most, by: step).map { minutes in
      (minutes, minutes == 0 ? "0" : Duration.wholeMinutes(minutes * 60).reading)
    }
  }
}
