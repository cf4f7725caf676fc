extension Double {
  /// Creates the seconds that divided by 60 yield these minutes, preferably whole microseconds.
  ///
  ///     Double(secondsOfMinutes: 962.0 / 60)   // 962, and 962.0 / 60 * 60 is not
  init(secondsOfMinutes minutes: Double) {
    let seconds = minutes * 60
    let round = (seconds * 1e6).rounded() / 1e6
    let nearest = [round, seconds, seconds.nextDown, seconds.nextUp]
    self = nearest.first { $0 / 60 == minutes } ?? seconds
  }
}
