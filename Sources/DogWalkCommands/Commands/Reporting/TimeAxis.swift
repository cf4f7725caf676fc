/// The scale beside bars of minutes: round numbers from 0 up to the longest bar or beyond.
struct TimeAxis: Hashable, Sendable {
  /// The minutes at the top.
  let most: Double
  /// The minutes between two lines.
  let step: Double

  /// A scale up to so many minutes at least.
  init(upTo minutes: Double) {
    let most = max(minutes, 10)
    let steps: [Double] = [5, 10, 15, 30, 60, 120, 180, 300, 600, 1200, 1800, 3000, 6000]
    // A hundred years of bars a month have a step of hours too, as many as it takes.
    step = steps.first { most / $0 <= 4 } ?? (most / 4 / 6000).rounded(.up) * 6000
    self.most = (most / step).rounded(.up) * step
  }

  /// The lines, the lowest first: minutes, and what stands beside them.
  var ticks: [(minutes: Double, label: String)] {
    stride(from: 0, through: most, by: step).map { minutes in
      (minutes, minutes == 0 ? "0" : Duration.wholeMinutes(minutes * 60).reading)
    }
  }
}
