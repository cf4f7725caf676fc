extension Double {
  /// The seconds whose minutes these are, the roundest ones: what was 962 seconds is 962 again.
  ///
  ///     Double(secondsOfMinutes: 962.0 / 60)   // 962, and 962.0 / 60 * 60 is not
  init(secondsOfMinutes minutes: Double) {
    let seconds = minutes * 60
    let round = (seconds * 1e6).rounded() / 1e6
    let nearest = [round, seconds, seconds.nextDown, seconds.nextUp]
    self = nearest.first { $0 / 60 == minutes } ?? seconds
  }
}
