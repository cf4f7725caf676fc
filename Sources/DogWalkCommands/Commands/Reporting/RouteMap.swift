import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Routes on a map without anything else but a scale, with north at the top, as a picture in SVG.
struct RouteMap {
  /// A route and its name.
  struct Route {
    /// The text shown when it is pointed at.
    let name: String
    /// The latitude of the start in degrees.
    let latitude: Double
    /// The longitude of the start in degrees.
    let longitude: Double
    /// The path.
    let path: TrackPath

    /// Creates the route of a track that has a point.
    init(_ points: TrackPoints, name: String) {
      self.name = name
      let first = points.segments.lazy.joined().first
      latitude = first?.latitude ?? 0
      longitude = first?.longitude ?? 0
      path = TrackPath(points)
    }
  }

  private var routes: [Route]

  /// The distance in metres between starts from which on routes are on different maps.
  private static let farness = 15_000.0
  private static let mostMaps = 6

  /// Returns the maps of some routes, one for each region, that with the most routes first.
  static func maps(of routes: [Route]) -> [RouteMap] {
    var maps: [RouteMap] = []
    for route in routes {
      let near = maps.firstIndex { map in
        let (east, north) = map.offset(of: route)
        return hypot(east, north) < farness
      }
      if let near {
        maps[near].routes.append(route)
      } else {
        maps.append(RouteMap(routes: [route]))
      }
    }
    return Array(maps.sorted { $0.routes.count > $1.routes.count }.prefix(mostMaps))
  }

  /// Returns how far a route starts to the east and north of the map's first one, in metres.
  private func offset(of route: Route) -> (east: Double, north: Double) {
    let degree = 6_371_008.8 * Double.pi / 180
    var east = route.longitude - routes[0].longitude
    if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
    return (
      east * degree * cos(routes[0].latitude * .pi / 180),
      (route.latitude - routes[0].latitude) * degree
    )
  }

  /// Writes the map.
  func write(to output: OutputSink) throws(OutputError) {
    var (west, east, south, north) = (
      Double.infinity, -Double.infinity, Double.infinity,
      -Double.infinity
    )
    for route in routes {
      let offset = offset(of: route)
      for point in route.path.parts.joined() {
        west = min(west, point.east + offset.east)
        east = max(east, point.east + offset.east)
        south = min(south, point.north + offset.north)
        north = max(north, point.north + offset.north)
      }
    }
    let size = max(east - west, north - south, 100)
    // The longer side is 460 of the picture's 500 units.
    let scale = 460 / size
    let width = max(240, (east - west) * scale + 40)
    let height = max(120, (north - south) * scale + 40) + 26
    let count = routes.count == 1 ? "1 route" : "\(routes.count) routes"
    try output.writeLine(
      #"<svg viewBox="0 0 \#(width.rounded(toDecimals: 0)) \#(height.rounded(toDecimals: 0))" "#
        + #"role="img" aria-label="Map of \#(count)" font-size="11">"#)
    for route in routes {
      let offset = offset(of: route)
      var line = ""
      for part in route.path.parts where part.count > 1 {
        for (index, point) in Self.thinned(part).enumerated() {
          let x = (point.east + offset.east - west) * scale + 20
          let y = (north - point.north - offset.north) * scale + 20
          line += "\(index == 0 ? "M" : "L")\(x.rounded(toDecimals: 1)) \(y.rounded(toDecimals: 1))"
        }
      }
      let hint = "\(route.name), \(Distance(metres: route.path.metres).reading)"
      try output.writeLine(
        #"<path class="way" d="\#(line)"><title>\#(hint.xmlText)</title></path>"#)
    }
    try writeScale(size: size, scale: scale, y: height - 14, to: output)
    try output.writeLine("</svg>")
  }

  /// Returns only as many points as are visible in a picture.
  private static func thinned(_ points: [TrackPath.RoutePoint]) -> [TrackPath.RoutePoint] {
    let every = max(1, points.count / 600)
    return points.enumerated().filter { $0.offset % every == 0 || $0.offset == points.count - 1 }
      .map(\.element)
  }

  private func writeScale(
    size: Double, scale: Double, y: Double, to output: OutputSink
  ) throws(OutputError) {
    let hasMiles = ReadingStyle.current.hasMiles
    let lengths: [Double] =
      hasMiles
      ? [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].map { $0 * Distance.metresOfMile }
      : [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
    let length = lengths.last { $0 <= size / 3 } ?? lengths[0]
    let end = (20 + length * scale).rounded(toDecimals: 1)
    let height = y.rounded(toDecimals: 1)
    let reading = Distance(metres: length).reading
    try output.writeLine(
      #"<path class="base" fill="none" d="M20 \#((y - 4).rounded(toDecimals: 1))V\#(height)H\#(end)V\#((y - 4).rounded(toDecimals: 1))"/>"#
        + #"<text class="quiet" x="\#((28 + length * scale).rounded(toDecimals: 1))" y="\#(height)">"#
        + "\(reading); north is up</text>")
  }
}

@available(*, unavailable)
extension RouteMap: Sendable {}
@available(*, unavailable)
extension RouteMap.Route: Sendable {}
