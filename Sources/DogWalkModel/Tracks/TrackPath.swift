import SystemLibraries

/// The way that a recorded track tells of, without what its tracker got wrong.
///
///     let points = TrackPoints(segments: [])
///     TrackPath(points).metres   // 0
///
/// A tracker's points lie some metres beside the way, so that their own length is far too great,
/// even where nobody moves. Here points that nobody could have reached are left out, the others are
/// smoothed over some seconds, and metres count from one place to the next that is clearly another.
package struct TrackPath: Sendable, Hashable {
  /// A place on the way.
  package struct Place: Sendable, Hashable {
    /// Metres to the east of the way's first place.
    package let east: Double
    /// Metres to the north of it.
    package let north: Double
    /// Metres above the sea; nil where the tracker did not say.
    package fileprivate(set) var elevation: Double?
    /// Metres along the way up to here.
    package fileprivate(set) var metres: Double
  }

  /// The parts of the way between which nobody knows it, each of one place at least.
  package let parts: [[Place]]
  /// How long the way is.
  package let metres: Double
  /// How many metres it goes up in all; nil where the tracker did not say.
  package let climb: Double?

  /// The way of a track.
  ///
  /// It costs time with the number of points, some dozens of operations for each.
  package init(_ track: TrackPoints) {
    var parts: [[Place]] = []
    var metres = 0.0
    var heights: [Double] = []
    let origin = track.segments.lazy.joined().first
    for segment in track.segments {
      for piece in Self.piecesWithoutJumps(of: segment) {
        guard let origin else { continue }
        let samples = Self.samples(piece, from: origin)
        let step = piece.allSatisfy { $0.time != nil } ? Self.step(of: samples) : nil
        let smooth = step.map { Self.smoothed(samples, $0) } ?? samples
        let elevations = Self.elevations(samples)
        let along = Self.metresAlong(smooth, step)
        var places: [Place] = []
        for (index, sample) in smooth.enumerated() {
          places.append(
            Place(
              east: sample.east, north: sample.north, elevation: elevations[index],
              metres: metres + along[index]))
        }
        heights += elevations.compactMap { $0 }
        metres += along.last ?? 0
        if !places.isEmpty { parts.append(places) }
      }
    }
    self.parts = parts
    self.metres = metres
    climb = heights.isEmpty ? nil : Self.climb(heights)
  }

  // MARK: Jumps

  /// The pieces of a segment within which each point could be reached from the one before.
  ///
  /// Few points far away between two that belong together are left out.
  private static func piecesWithoutJumps(of segment: [TrackPoints.Point]) -> [[TrackPoints.Point]] {
    var pieces: [[TrackPoints.Point]] = []
    for point in segment {
      if let last = pieces.last?.last, isReachable(point, from: last) {
        pieces[pieces.count - 1].append(point)
      } else if pieces.count > 1, pieces[pieces.count - 1].count <= fewPoints,
        let before = pieces[pieces.count - 2].last, isReachable(point, from: before)
      {
        // Back from where the tracker had lost itself.
        pieces.removeLast()
        pieces[pieces.count - 1].append(point)
      } else {
        pieces.append([point])
      }
    }
    return pieces
  }

  private static let fewPoints = 5

  /// Whether somebody on foot can have come from one point to another: 10 metres in each second of
  /// the first minute and 3 in each one after it, besides what trackers are wrong by.
  private static func isReachable(
    _ point: TrackPoints.Point, from last: TrackPoints.Point
  ) -> Bool {
    let metres = last.metres(to: point)
    guard let then = last.time, let now = point.time else { return metres < 1000 }
    let seconds = abs(now.timeIntervalSince(then))
    return metres <= 30 + 10 * min(seconds, 60) + 3 * max(0, seconds - 60)
  }

  // MARK: Noise

  /// A point in metres and seconds.
  private struct Sample {
    var east: Double
    var north: Double
    let elevation: Double?
    let second: Double
  }

  private static func samples(
    _ points: [TrackPoints.Point], from origin: TrackPoints.Point
  ) -> [Sample] {
    let radius = 6_371_008.8 * Double.pi / 180
    let narrowing = cos(origin.latitude * .pi / 180)
    let first = points.first?.time
    let isTimed = points.allSatisfy { $0.time != nil }
    return points.enumerated().map { index, point in
      var east = point.longitude - origin.longitude
      // Over the line of the date it is the short way round.
      if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
      let second = isTimed ? first.flatMap { point.time?.timeIntervalSince($0) } : nil
      return Sample(
        east: east * radius * narrowing, north: (point.latitude - origin.latitude) * radius,
        elevation: point.elevation, second: second ?? Double(index))
    }
  }

  /// The seconds that usually lie between two samples; nil where there is one alone.
  private static func step(of samples: [Sample]) -> Double? {
    let steps = zip(samples, samples.dropFirst()).map { $1.second - $0.second }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// Of points so many seconds apart nothing is left to smooth.
  private static let longestStep = 15.0

  /// The samples of points with times, each moved to where the parabola lies that fits those around
  /// it best: a line would cut the corners of streets.
  private static func smoothed(_ samples: [Sample], _ step: Double) -> [Sample] {
    guard step < longestStep else { return samples }
    // Wide enough to take 4 metres of noise out, narrow enough to leave the corners of streets in.
    let width = max(7, 0.8 * step)
    var smooth = samples
    var first = 0
    for index in samples.indices {
      let now = samples[index].second
      while first < index, samples[first].second < now - 3 * width { first += 1 }
      // The sums of weights, times and their powers; and those of the places beside them.
      var powers = (0.0, 0.0, 0.0, 0.0, 0.0)
      var east = SIMD3<Double>()
      var north = SIMD3<Double>()
      for sample in samples[first...].prefix(400) {
        let time = (sample.second - now) / width
        if time > 3 { break }
        let weight = exp(-time * time / 2)
        let terms = weight * SIMD3(1, time, time * time)
        powers.0 += terms.x
        powers.1 += terms.y
        powers.2 += terms.z
        powers.3 += terms.z * time
        powers.4 += terms.z * time * time
        east += terms * sample.east
        north += terms * sample.north
      }
      // Cramer's rule for the parabola's height at this moment.
      let factors = SIMD3(
        powers.2 * powers.4 - powers.3 * powers.3, powers.2 * powers.3 - powers.1 * powers.4,
        powers.1 * powers.3 - powers.2 * powers.2)
      let determinant = (factors * SIMD3(powers.0, powers.1, powers.2)).sum()
      // Samples of two moments have no parabola through them.
      guard determinant > 1e-6 * powers.0 * powers.0 * powers.0 else { continue }
      smooth[index].east = (factors * east).sum() / determinant
      smooth[index].north = (factors * north).sum() / determinant
    }
    return smooth
  }

  /// Places nearer to each other than this many metres may be one.
  ///
  /// The fewer points are smoothed together, the more noise is left: it grows with the root of the
  /// seconds between them.
  private static func nearness(_ step: Double?) -> Double {
    15 * max(1, (min(step ?? 0, longestStep) / 4).squareRoot())
  }

  /// A point that lies at least so many metres beside the line past it is a corner of the way.
  private static let breadth = 2.5

  /// The metres along the way up to each sample.
  private static func metresAlong(_ samples: [Sample], _ step: Double?) -> [Double] {
    let nearness = nearness(step)
    var along: [Double] = []
    var metres = 0.0
    var anchor = 0
    for (index, sample) in samples.enumerated() {
      let size = distance(samples[anchor], sample)
      let isEnd = index == samples.count - 1
      // One sample far away is noise where the next one is near again.
      let isFar =
        size >= nearness && (isEnd || distance(samples[anchor], samples[index + 1]) >= nearness)
      if isFar || (isEnd && size >= nearness / 2) {
        let corner = corner(of: samples[anchor...index])
        metres += corner.map { distance(samples[anchor], $0) + distance($0, sample) } ?? size
        anchor = index
      }
      along.append(metres)
    }
    return along
  }

  /// The sample furthest beside the line from the first one to the last; nil where all lie near it.
  private static func corner(of samples: ArraySlice<Sample>) -> Sample? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let (east, north) = (last.east - first.east, last.north - first.north)
    func beside(_ sample: Sample) -> Double {
      abs(east * (sample.north - first.north) - north * (sample.east - first.east))
    }
    let furthest = samples.max { beside($0) < beside($1) }
    return furthest.flatMap { beside($0) >= breadth * hypot(east, north) ? $0 : nil }
  }

  private static func distance(_ one: Sample, _ other: Sample) -> Double {
    hypot(other.east - one.east, other.north - one.north)
  }

  // MARK: Heights

  /// The elevations, each the mean of those within some seconds.
  private static func elevations(_ samples: [Sample]) -> [Double?] {
    var first = 0
    return samples.indices.map { index in
      let now = samples[index].second
      guard let own = samples[index].elevation else { return nil }
      while first < index, samples[first].second < now - 20 { first += 1 }
      var (sum, count) = (0.0, 0)
      for sample in samples[first...].prefix(400) {
        if sample.second > now + 20 { break }
        guard let elevation = sample.elevation else { continue }
        sum += elevation
        count += 1
      }
      return count > 0 ? sum / Double(count) : own
    }
  }

  /// What goes up in all, but for ups and downs that a tracker makes up.
  private static func climb(_ heights: [Double]) -> Double {
    let least = 4.0
    var climb = 0.0
    var (low, high) = (heights[0], heights[0])
    for height in heights {
      if height > high { high = height }
      if height < low, high - low < least { (low, high) = (height, height) }
      if high - height >= least {
        if high - low >= least { climb += high - low }
        (low, high) = (height, height)
      }
    }
    return high - low >= least ? climb + high - low : climb
  }
}
