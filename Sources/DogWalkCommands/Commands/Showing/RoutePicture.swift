import CommandLineKit
import DogWalkModel

/// A route drawn in dots with north at the top; `o` marks its start and `x` its end.
struct RoutePicture {
  private let path: TrackPath

  /// Creates a picture of a route.
  init(_ path: TrackPath) { self.path = path }

  /// The extent of the route from west to east and from south to north, in metres.
  var size: (across: Double, up: Double) {
    let bounds = bounds
    return (
      bounds.east.upperBound - bounds.east.lowerBound,
      bounds.north.upperBound - bounds.north.lowerBound
    )
  }

  private var bounds: (east: ClosedRange<Double>, north: ClosedRange<Double>) {
    let points = path.parts.joined()
    guard let first = points.first else { return (0...0, 0...0) }
    var (west, east, south, north) = (first.east, first.east, first.north, first.north)
    for point in points {
      (west, east) = (min(west, point.east), max(east, point.east))
      (south, north) = (min(south, point.north), max(north, point.north))
    }
    return (west...east, south...north)
  }

  /// Returns the lines of the picture, within the given size; empty if the route does not move.
  func lines(columns: Int, rows: Int) -> [String] {
    let (across, up) = size
    guard max(across, up) >= 1 else { return [] }
    // Dots are as wide as they are high.
    let most = (across: Double(columns * 2 - 1), up: Double(rows * 4 - 1))
    let scale = min(
      across > 0 ? most.across / across : .infinity, up > 0 ? most.up / up : .infinity)
    func characters(_ metres: Double, _ dots: Double, _ limit: Int) -> Int {
      min(limit, Int(exactly: ((metres * scale + 1) / dots).rounded(.up)) ?? limit)
    }
    var canvas = BrailleCanvas(
      columns: characters(across, 2, columns), rows: characters(up, 4, rows))
    let bounds = bounds
    func dot(_ point: TrackPath.RoutePoint) -> (x: Int, y: Int) {
      let x = ((point.east - bounds.east.lowerBound) * scale).rounded()
      let y = ((bounds.north.upperBound - point.north) * scale).rounded()
      return (Int(exactly: x) ?? 0, Int(exactly: y) ?? 0)
    }
    for part in path.parts {
      for (start, end) in zip(part, part.dropFirst()) {
        canvas.line(from: dot(start), to: dot(end))
      }
    }
    if let last = path.parts.last?.last { canvas.mark(dot(last).x, dot(last).y, "x") }
    if let first = path.parts.first?.first { canvas.mark(dot(first).x, dot(first).y, "o") }
    return canvas.lines
  }
}
