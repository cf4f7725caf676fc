import CommandLineKit
import DataFormats
import DogWalkModel

/// The elevations along a route.
struct HeightPicture {
  private let points: [(metres: Double, height: Double)]

  /// Creates a picture of a route's elevations; `nil` if they are unknown or the route has no
  /// length.
  init?(_ path: TrackPath) {
    points = path.parts.joined().compactMap { point in
      point.elevation.map { (point.metres, $0) }
    }
    guard points.count > 1, path.metres > 0 else { return nil }
  }

  /// The lowest and the highest elevation, in metres above sea level.
  var range: ClosedRange<Double> {
    let heights = points.lazy.map(\.height)
    // There are at least two points.
    return heights.min()!...heights.max()!
  }

  /// The range of the picture, wide enough that flat ground is a flat line despite noise.
  private var scale: ClosedRange<Double> {
    let range = range
    guard range.upperBound - range.lowerBound < Self.leastSpan else { return range }
    let middle = (range.lowerBound + (range.upperBound - range.lowerBound) / 2).rounded(.down)
    let lowest = min(middle - Self.leastSpan / 2, range.lowerBound.rounded(.down))
    return lowest...max(lowest + Self.leastSpan, range.upperBound.rounded(.up))
  }

  /// The minimum range in metres.
  private static let leastSpan = 10.0

  /// Returns the lines of the picture, with a scale on the left; empty if there is too little
  /// space.
  func lines(columns: Int, rows: Int) -> [String] {
    let range = scale
    let labels = (
      top: "\(range.upperBound.rounded(toDecimals: 0)) m",
      bottom: "\(range.lowerBound.rounded(toDecimals: 0)) m"
    )
    let labelWidth = max(labels.top.displayWidth, labels.bottom.displayWidth)
    let width = columns - labelWidth - 1
    guard width >= 20, let first = points.first, let last = points.last,
      last.metres > first.metres
    else { return [] }
    var canvas = BrailleCanvas(columns: width, rows: rows)
    let span = range.upperBound - range.lowerBound
    func dot(_ point: (metres: Double, height: Double)) -> (x: Int, y: Int) {
      let x =
        (point.metres - first.metres) / (last.metres - first.metres)
        * Double(canvas.width - 1)
      let y = (1 - (point.height - range.lowerBound) / span) * Double(canvas.height - 1)
      return (Int(exactly: x.rounded()) ?? 0, Int(exactly: y.rounded()) ?? 0)
    }
    for (start, end) in zip(points, points.dropFirst()) {
      canvas.line(from: dot(start), to: dot(end))
    }
    return canvas.lines.enumerated().map { row, line in
      let label = row == 0 ? labels.top : row == rows - 1 ? labels.bottom : ""
      var text = label.paddedLeft(to: labelWidth) + " " + line
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

@available(*, unavailable)
extension HeightPicture: Sendable {}
