import SystemLibraries

/// The route of a recorded track, without the tracker's errors.
///
///     let points = TrackPoints(segments: [])
///     TrackPath(points).metres   // 0
///
/// A tracker's points scatter some metres around the route, so the sum of their distances is far
/// too great, even without any movement. Points that could not have been reached on foot are
/// therefore left out, the others are smoothed over some seconds, and distance is counted only
/// between positions that clearly differ.
package struct TrackPath: Sendable, Hashable {
  /// A position on the route.
  package struct RoutePoint: Sendable, Hashable {
    /// Metres to the east of the route's first position.
    package let east: Double
    /// Metres to the north of the route's first position.
    package let north: Double
    /// Metres above sea level; nil if the tracker recorded no elevation.
    package fileprivate(set) var elevation: Double?
    /// Metres along the route up to this position.
    package fileprivate(set) var metres: Double
  }

  /// The continuous parts of the route, each of at least one position; what lies between them is
  /// unknown.
  package let parts: [[RoutePoint]]
  /// The length of the route.
  package let metres: Double
  /// The total ascent in metres; nil if the tracker recorded no elevation.
  package let climb: Double?

  /// Computes the route of a track.
  ///
  /// The time grows with the number of points, with some dozens of operations for each.
  package init(_ track: TrackPoints) {
    var parts: [[RoutePoint]] = []
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
        var points: [RoutePoint] = []
        for (index, sample) in smooth.enumerated() {
          points.append(
            RoutePoint(
              east: sample.east, north: sample.north, elevation: elevations[index],
              metres: metres + along[index]))
        }
        heights += elevations.compactMap { $0 }
        metres += along.last ?? 0
        if !points.isEmpty { parts.append(points) }
      }
    }
    self.parts = parts
    self.metres = metres
    climb = heights.isEmpty ? nil : Self.climb(heights)
  }

  // MARK: Outliers

  /// Splits a segment into pieces within which each point can be reached from the one before.
  ///
  /// A few distant points between two pieces that belong together are left out.
  private static func piecesWithoutJumps(of segment: [TrackPoints.Point]) -> [[TrackPoints.Point]] {
    var pieces: [[TrackPoints.Point]] = []
    for point in segment {
      if let last = pieces.last?.last, isReachable(point, from: last) {
        pieces[pieces.count - 1].append(point)
      } else if pieces.count > 1, pieces[pieces.count - 1].count <= fewPoints,
        let before = pieces[pieces.count - 2].last, isReachable(point, from: before)
      {
        // The track returns to the piece before the outlier.
        pieces.removeLast()
        pieces[pieces.count - 1].append(point)
      } else {
        pieces.append([point])
      }
    }
    return pieces
  }

  private static let fewPoints = 5

  /// Whether a walker can have come from one point to another.
  ///
  /// The limit is 10 metres per second in the first minute and 3 metres per second after it, plus
  /// the trackers' margin of error.
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
      // Across the 180th meridian, the shorter direction is taken.
      if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
      let second = isTimed ? first.flatMap { point.time?.timeIntervalSince($0) } : nil
      return Sample(
        east: east * radius * narrowing, north: (point.latitude - origin.latitude) * radius,
        elevation: point.elevation, second: second ?? Double(index))
    }
  }

  /// Returns the median interval between two samples, in seconds; nil for fewer than two.
  private static func step(of samples: [Sample]) -> Double? {
    let steps = zip(samples, samples.dropFirst()).map { $1.second - $0.second }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// The interval in seconds from which on points are too far apart to be smoothed.
  private static let longestStep = 15.0

  /// Moves each sample to the parabola that fits the surrounding samples best, if they have times;
  /// a straight line would cut street corners.
  private static func smoothed(_ samples: [Sample], _ step: Double) -> [Sample] {
    guard step < longestStep else { return samples }
    // Wide enough to remove 4 metres of noise, narrow enough to keep street corners.
    let width = max(7, 0.8 * step)
    var smooth = samples
    var first = 0
    for index in samples.indices {
      let now = samples[index].second
      while first < index, samples[first].second < now - 3 * width { first += 1 }
      // The sums of the weights and of the powers of the times, and those of the positions.
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
      // Cramer's rule for the value of the parabola at this moment.
      let factors = SIMD3(
        powers.2 * powers.4 - powers.3 * powers.3, powers.2 * powers.3 - powers.1 * powers.4,
        powers.1 * powers.3 - powers.2 * powers.2)
      let determinant = (factors * SIMD3(powers.0, powers.1, powers.2)).sum()
      // Samples at only two moments do not determine a parabola.
      guard determinant > 1e-6 * powers.0 * powers.0 * powers.0 else { continue }
      smooth[index].east = (factors * east).sum() / determinant
      smooth[index].north = (factors * north).sum() / determinant
    }
    return smooth
  }

  /// Returns the distance in metres below which positions may be the same.
  ///
  /// The fewer points are smoothed together, the more noise remains: it grows with the square root
  /// of the interval between them.
  private static func nearness(_ step: Double?) -> Double {
    15 * max(1, (min(step ?? 0, longestStep) / 4).squareRoot())
  }

  /// A point at least this many metres off the straight line is a corner of the route.
  private static let breadth = 2.5

  /// Returns the metres along the route up to each sample.
  private static func metresAlong(_ samples: [Sample], _ step: Double?) -> [Double] {
    let nearness = nearness(step)
    var along: [Double] = []
    var metres = 0.0
    var anchor = 0
    for (index, sample) in samples.enumerated() {
      let size = distance(samples[anchor], sample)
      let isEnd = index == samples.count - 1
      // A single distant sample is noise if the next one is near again.
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

  /// Returns the sample farthest from the line between the first and the last one; nil if all are
  /// near it.
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

  /// Returns the elevations, each averaged over some seconds.
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

  /// Returns the total ascent, without the variations that are only noise.
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
