package import SystemLibraries

/// The points of a recorded track, in segments between which the tracker was off.
///
///     guard let gate = TrackPoints.Point(latitude: 52.5163, longitude: 13.3777) else { return }
///     let points = TrackPoints(segments: [[gate]])
///     TrackPoints(packed: points.packed) == points   // true
package struct TrackPoints: Sendable, Hashable {
  /// A position and its time.
  package struct Point: Sendable, Hashable {
    /// Degrees north, -90 to 90.
    package let latitude: Double
    /// Degrees east, -180 to 180.
    package let longitude: Double
    /// Metres above sea level; nil if the tracker recorded no elevation.
    package let elevation: Double?
    /// The time; nil if the tracker recorded none.
    package let time: Date?

    /// Creates a point; nil if the coordinates are out of range.
    ///
    /// The values are rounded to the precision of a stored track: 1e-7 degrees (about a
    /// centimetre), a centimetre of elevation, and a millisecond.
    package init?(
      latitude: Double, longitude: Double, elevation: Double? = nil, time: Date? = nil
    ) {
      guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
      // A greater elevation is an error of the tracker.
      let height = elevation.flatMap { abs($0) < 1e6 ? $0 : nil }
      self.init(
        Packed(
          latitude: Int64((latitude * 1e7).rounded()),
          longitude: Int64((longitude * 1e7).rounded()),
          elevation: height.map { Int64(($0 * 100).rounded()) },
          time: time?.inCalendar.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }))
    }

    fileprivate init(_ packed: Packed) {
      latitude = Double(packed.latitude) / 1e7
      longitude = Double(packed.longitude) / 1e7
      elevation = packed.elevation.map { Double($0) / 100 }
      time = packed.time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Returns the distance to another point in metres, on a sphere with the Earth's mean radius.
    package func metres(to other: Point) -> Double {
      func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
      let north = radians(other.latitude - latitude)
      let east = radians(other.longitude - longitude)
      let half =
        pow(sin(north / 2), 2)
        + cos(radians(latitude)) * cos(radians(other.latitude)) * pow(sin(east / 2), 2)
      return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }
  }

  /// The segments, in the order of the recording.
  package let segments: [[Point]]

  /// Creates a track of some segments.
  package init(segments: [[Point]]) { self.segments = segments }

  /// The total distance between consecutive points within each segment, in metres.
  package var metres: Double {
    segments.reduce(0) { sum, points in
      sum + zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
    }
  }
}

// MARK: Packing

extension TrackPoints {
  /// The encoded points, about seven bytes each for one point per second.
  ///
  /// The first byte is 1. Numbers follow in groups of seven bits, least significant first, with the
  /// eighth bit set in all but the last; signed numbers are zigzag-encoded. First comes the number
  /// of segments, then for each segment the number of points and for each point: the difference of
  /// its latitude from the previous point's in 1e-7 degrees, times 4, plus 1 if it has an
  /// elevation, plus 2 if it has a time; then the differences of its longitude, its elevation in
  /// centimetres, and its time in milliseconds since 1970. Each difference is from the last value
  /// present, and the first from zero.
  package var packed: [UInt8] {
    var bytes: [UInt8] = [1]
    var last = Packed()
    bytes.append(number: UInt64(segments.count))
    for segment in segments {
      bytes.append(number: UInt64(segment.count))
      for point in segment {
        let next = Packed(point)
        let flags: UInt64 = (next.elevation == nil ? 0 : 1) + (next.time == nil ? 0 : 2)
        bytes.append(number: (next.latitude - last.latitude).zigzag << 2 | flags)
        bytes.append(number: (next.longitude - last.longitude).zigzag)
        for part in [\Packed.elevation, \Packed.time] {
          guard let value = next[keyPath: part] else { continue }
          bytes.append(number: (value - (last[keyPath: part] ?? 0)).zigzag)
        }
        last.follow(next)
      }
    }
    return bytes
  }

  /// Decodes points; nil if the bytes are not in the format of ``packed``.
  package init?(packed bytes: [UInt8]) {
    guard bytes.first == 1 else { return nil }
    var rest = bytes.dropFirst()
    guard let count = rest.takeNumber() else { return nil }
    var segments: [[Point]] = []
    var last = Packed()
    for _ in 0..<count {
      // Each segment takes at least a byte and each point two, so a greater count is invalid.
      guard let count = rest.takeNumber(), count <= rest.count / 2 else { return nil }
      var points: [Point] = []
      points.reserveCapacity(Int(count))
      for _ in 0..<count {
        guard let next = Packed(&rest, after: last), next.isPossible else { return nil }
        points.append(Point(next))
        last.follow(next)
      }
      segments.append(points)
    }
    guard rest.isEmpty else { return nil }
    self.segments = segments
  }

  /// A point in integer units.
  fileprivate struct Packed {
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    var elevation: Int64?
    var time: Int64?
  }
}

extension TrackPoints.Packed {
  fileprivate init(_ point: TrackPoints.Point) {
    latitude = Int64((point.latitude * 1e7).rounded())
    longitude = Int64((point.longitude * 1e7).rounded())
    elevation = point.elevation.map { Int64(($0 * 100).rounded()) }
    time = point.time.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// Decodes a point that follows another one; nil if the bytes end or a number overflows.
  fileprivate init?(_ bytes: inout ArraySlice<UInt8>, after last: Self) {
    guard let first = bytes.takeNumber(),
      let latitude = last.latitude.adding(zigzag: first >> 2),
      let second = bytes.takeNumber(), let longitude = last.longitude.adding(zigzag: second)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    let parts: [(flag: UInt64, part: WritableKeyPath<Self, Int64?>)] = [
      (1, \.elevation), (2, \.time),
    ]
    for (flag, part) in parts where first & flag != 0 {
      guard let number = bytes.takeNumber(),
        let value = (last[keyPath: part] ?? 0).adding(zigzag: number)
      else { return nil }
      self[keyPath: part] = value
    }
  }

  /// Whether the point is valid: coordinates on Earth, an elevation in range, and a date within the
  /// calendar.
  fileprivate var isPossible: Bool {
    let first = Int64(Date.calendar.lowerBound.timeIntervalSince1970 * 1000)
    let last = Int64(Date.calendar.upperBound.timeIntervalSince1970 * 1000)
    return (-900_000_000...900_000_000).contains(latitude)
      && (-1_800_000_000...1_800_000_000).contains(longitude)
      && (elevation.map { (-100_000_000...100_000_000).contains($0) } ?? true)
      && (time.map { (first...last).contains($0) } ?? true)
  }

  /// Makes another point the base for the next differences.
  fileprivate mutating func follow(_ next: Self) {
    latitude = next.latitude
    longitude = next.longitude
    elevation = next.elevation ?? elevation
    time = next.time ?? time
  }
}

extension Int64 {
  /// The zigzag encoding, which maps 0, -1, 1, -2 to 0, 1, 2, 3.
  fileprivate var zigzag: UInt64 { UInt64(bitPattern: (self << 1) ^ (self >> 63)) }

  /// Returns the sum with a zigzag-encoded number; nil on overflow.
  fileprivate func adding(zigzag number: UInt64) -> Int64? {
    let difference = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    let (sum, isTooLarge) = addingReportingOverflow(difference)
    return isTooLarge ? nil : sum
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits.
  fileprivate mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension ArraySlice<UInt8> {
  /// Removes and returns a number in groups of seven bits; nil if there is none.
  fileprivate mutating func takeNumber() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = popFirst() else { return nil }
      let group = UInt64(byte & 0x7F)
      guard (group << shift) >> shift == group else { return nil }
      number |= group << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}
