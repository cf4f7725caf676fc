import Foundation
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `The points of a track` {
  /// Segments as a tracker writes them, and some that it would not.
  private static func random(
    using generator: inout SeededGenerator
  ) throws -> TrackPoints {
    var segments: [[TrackPoints.Point]] = []
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      var points: [TrackPoints.Point] = []
      for _ in 0..<Int.random(in: 0..<30, using: &generator) {
        let elevation =
          Bool.random(using: &generator)
          ? Double.random(in: -1e5...1e5, using: &generator) : nil
        let time =
          Bool.random(using: &generator)
          ? Date(timeIntervalSince1970: .random(in: -1e10...1e10, using: &generator)) : nil
        points.append(
          try #require(
            TrackPoints.Point(
              latitude: .random(in: -90...90, using: &generator),
              longitude: .random(in: -180...180, using: &generator), elevation: elevation,
              time: time)))
      }
      segments.append(points)
    }
    return TrackPoints(segments: segments)
  }

  @Test func `are packed and read back unchanged`() throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let points = try Self.random(using: &generator)
      #expect(TrackPoints(packed: points.packed) == points, "seed \(seed), round \(round)")
    }
  }

  @Test func `are kept to the centimetre and the millisecond`() throws {
    let point = try #require(
      TrackPoints.Point(
        latitude: 52.516_274_96, longitude: -13.377_703_04, elevation: 34.126,
        time: Date(timeIntervalSince1970: 1_795_197_600.250_4)))
    #expect(point.latitude == 52.516_275 && point.longitude == -13.377_703)
    #expect(point.elevation == 34.13)
    #expect(point.time == Date(timeIntervalSince1970: 1_795_197_600.25))
  }

  @Test func `take about seven bytes each, where a tracker records every second`() throws {
    var points: [TrackPoints.Point] = []
    for second in 0..<3600 {
      let north = 52.5 + Double(second) * 1.2e-5
      let east = 13.4 + Double(second % 7) * 1e-6
      let elevation = 34 + Double(second % 9) / 10
      let time = Date(timeIntervalSince1970: 1_795_197_600 + Double(second))
      points.append(
        try #require(
          .init(latitude: north, longitude: east, elevation: elevation, time: time)))
    }
    #expect(TrackPoints(segments: [points]).packed.count < 3600 * 8)
  }

  @Test func `have the length of an arc on the Earth`() throws {
    // A degree along a meridian of a sphere with that radius.
    let points = try [0.0, 1].map {
      try #require(TrackPoints.Point(latitude: $0, longitude: 30))
    }
    #expect(abs(TrackPoints(segments: [points]).metres - 111_195.08) < 0.1)
    // The distance between two segments is unknown.
    #expect(TrackPoints(segments: points.map { [$0] }).metres == 0)
  }

  @Test(arguments: [(91.0, 0.0), (0, 181), (.nan, 0), (0, .infinity)])
  func `are on the Earth`(latitude: Double, longitude: Double) {
    #expect(TrackPoints.Point(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func `are refused where bytes are cut, changed or arbitrary`() throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    let bytes = try #require(
      (0..<20).lazy.map { _ in try? Self.random(using: &generator).packed }
        .first { ($0?.count ?? 0) > 100 } ?? nil)
    for count in bytes.indices { #expect(TrackPoints(packed: Array(bytes[..<count])) == nil) }
    #expect(TrackPoints(packed: bytes + [0]) == nil)
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: changed.indices, using: &generator)] =
          UInt8.random(in: .min ... .max, using: &generator)
      }
      // Whatever is read is on the Earth, and is rewritten as it was read.
      guard let points = TrackPoints(packed: changed) else { continue }
      #expect(TrackPoints(packed: points.packed) == points, "seed \(seed)")
    }
  }
}
