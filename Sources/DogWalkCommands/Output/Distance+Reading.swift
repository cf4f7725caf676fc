import CommandLineKit
import DataFormats

extension Distance {
  /// The distance as shown to people: `800 m`, `2.4 km`, or `1.5 mi`.
  var reading: String {
    guard ReadingStyle.current.hasMiles else { return metricReading }
    return "\((metres / Self.metresOfMile).rounded(toDecimals: 2)) mi"
  }

  /// The distance in metres or kilometres, regardless of settings: for exported files.
  var metricReading: String {
    metres < 1000
      ? "\(metres.rounded(toDecimals: 0)) m" : "\((metres / 1000).rounded(toDecimals: 2)) km"
  }
}
