import Foundation
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `The path of a track` {
  /// A path in metres to the east and north of a gate in Berlin.
  typealias Way = [(east: Double, north: Double)]

  static let straight: Way = [(0, 0), (2400, 600)]
  static let blocks: Way = [
    (0, 0), (220, 0), (220, 180), (450, 180), (450, 400), (120, 400), (120, 250), (0, 250), (0, 0),
  ]
  /// Streets of so many metres, with a corner at the end of each.
  static func corners(_ metres: Double) -> Way {
    (0...24).map { step in (Double((step + 1) / 2) * metres, Double(step / 2) * metres) }
  }
  static let pond: Way = (0...90).map { step in
    let angle = Double(step) / 30 * 2 * .pi
    return (120 * cos(angle), 120 * sin(angle))
  }

  static func length(_ way: Way) -> Double {
    zip(way, way.dropFirst()).reduce(0) {
      $0 + hypot($1.1.east - $1.0.east, $1.1.north - $1.0.north)
    }
  }

  /// The position after so many metres.
  static func place(on way: Way, after metres: Double) -> (east: Double, north: Double) {
    var rest = metres
    for (start, end) in zip(way, way.dropFirst()) {
      let size = hypot(end.east - start.east, end.north - start.north)
      guard rest > size else {
        let part = size > 0 ? rest / size : 0
        return (
          start.east + part * (end.east - start.east),
          start.north + part * (end.north - start.north)
        )
      }
      rest -= size
    }
    return way[way.count - 1]
  }

  static func point(
    _ place: (east: Double, north: Double), second: Double, elevation: Double? = nil
  ) throws -> TrackPoints.Point {
    try #require(
      TrackPoints.Point(
        latitude: 52.5 + place.north / 111_195.08,
        longitude: 13.4 + place.east / (111_195.08 * cos(52.5 * .pi / 180)), elevation: elevation,
        time: Date(timeIntervalSince1970: 1_795_197_600 + second)))
  }

  /// What a tracker records of a path that is walked at 1.4 metres a second.
  static func track(
    _ way: Way, every seconds: Double, noise: Double, restingAt rest: Double? = nil,
    using generator: inout SeededGenerator
  ) throws -> [TrackPoints.Point] {
    var points: [TrackPoints.Point] = []
    var gone = 0.0
    var second = 0.0
    var rested = 0.0
    while gone < length(way) {
      var place = place(on: way, after: gone)
      place.east += noise * normal(using: &generator)
      place.north += noise * normal(using: &generator)
      points.append(try point(place, second: second))
      second += seconds
      if let rest, gone >= rest, rested < 600 { rested += seconds } else { gone += 1.4 * seconds }
    }
    return points
  }

  /// A normally distributed number.
  static func normal(using generator: inout SeededGenerator) -> Double {
    let size = sqrt(-2 * log(Double.random(in: 1e-12..<1, using: &generator)))
    return size * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }

  @Test(arguments: [1.0, 3, 5, 10], [straight, blocks, pond])
  func `keeps its length within a twentieth, whatever the noise`(
    every seconds: Double, way: Way
  ) throws {
    try expectLength(of: way, every: seconds)
  }

  /// With points ten seconds apart, the polygon is 2 % short at the corners already.
  @Test(arguments: [1.0, 3, 5], [120.0, 80])
  func `keeps its length where there is a corner every minute or two`(
    every seconds: Double, metres: Double
  ) throws {
    try expectLength(of: Self.corners(metres), every: seconds)
  }

  private func expectLength(of way: Way, every seconds: Double) throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    let length = Self.length(way)
    for noise in [0, 2.0, 4] {
      for _ in 0..<4 {
        let points = try Self.track(way, every: seconds, noise: noise, using: &generator)
        let metres = TrackPath(TrackPoints(segments: [points])).metres
        #expect(
          abs(metres / length - 1) < 0.05,
          "\(metres) of \(length) m every \(seconds) s with \(noise) m, seed \(seed)")
      }
    }
  }

  @Test(arguments: [1.0, 5, 10])
  func `does not grow by standing still`(every seconds: Double) throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    let points = try Self.track(
      Self.straight, every: seconds, noise: 4, restingAt: 1000, using: &generator)
    let metres = TrackPath(TrackPoints(segments: [points])).metres
    #expect(abs(metres / Self.length(Self.straight) - 1) < 0.05, "\(metres), seed \(seed)")
    var still: [TrackPoints.Point] = []
    for step in 0..<Int(1200 / seconds) {
      still.append(
        try Self.point(
          (4 * Self.normal(using: &generator), 4 * Self.normal(using: &generator)),
          second: Double(step) * seconds))
    }
    #expect(TrackPath(TrackPoints(segments: [still])).metres < 40, "seed \(seed)")
  }

  @Test func `omits impossible positions`() throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    var points = try Self.track(Self.straight, every: 1, noise: 4, using: &generator)
    // Two points five kilometres away, and a jump from which it never returns.
    for index in [400, 401] {
      points[index] = try Self.point((5000, -300), second: Double(index))
    }
    for index in 1200..<points.count {
      let place = Self.place(on: Self.straight, after: Double(index) * 1.4)
      points[index] = try Self.point((place.east, place.north + 5000), second: Double(index))
    }
    let path = TrackPath(TrackPoints(segments: [points]))
    #expect(
      abs(path.metres / Self.length(Self.straight) - 1) < 0.05, "\(path.metres), seed \(seed)")
    #expect(path.parts.count == 2)
  }

  @Test func `climbs as far as its hills are high`() throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    var points: [TrackPoints.Point] = []
    for second in 0..<2000 {
      // Two hills of 40 metres.
      let height = 50 - 20 * cos(Double(second) / 1000 * 2 * .pi)
      points.append(
        try Self.point(
          (Double(second) * 1.4, 0), second: Double(second),
          elevation: height + 3 * Self.normal(using: &generator)))
    }
    let climb = try #require(TrackPath(TrackPoints(segments: [points])).climb)
    #expect(abs(climb - 80) < 10, "\(climb), seed \(seed)")
    let flat = try Self.point((0, 0), second: 0)
    #expect(TrackPath(TrackPoints(segments: [[flat]])).climb == nil)
  }

  @Test func `of few points is the line between them`() throws {
    let points = try [(0.0, 0.0), (0, 1000), (700, 1000)].enumerated().map {
      try Self.point(($0.element.0, $0.element.1), second: Double($0.offset) * 600)
    }
    #expect(abs(TrackPath(TrackPoints(segments: [points])).metres - 1700) < 2)
    #expect(TrackPath(TrackPoints(segments: [[points[0]]])).metres == 0)
    #expect(TrackPath(TrackPoints(segments: [])).parts.isEmpty)
  }

  @Test func `crosses the date line the short way`() throws {
    let west = try #require(TrackPoints.Point(latitude: 0, longitude: 179.999))
    let east = try #require(TrackPoints.Point(latitude: 0, longitude: -179.999))
    let path = TrackPath(TrackPoints(segments: [[west, east]]))
    #expect(abs(path.metres - 222.4) < 1)
  }
}
