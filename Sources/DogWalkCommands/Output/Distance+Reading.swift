import CommandLineKit
import DataFormats

extension Distance {
  /// The distance as people read it: `800 m`, `2.4 km`, or `1.5 mi`.
  var reading: String {
    guard ReadingStyle.current.hasMiles else { return metricReading }
    return "\((metres / Self.metresOfMile).rounded(toDecimals: 2)) mi"
  }

  /// The distance in metres or kilometres, whatever is set: for what leaves the program.
  var metricReading: String {
    metres < 1000
      ? "\(metres.rounded(toDecimals: 0)) m" : "\((metres / 1000).rounded(toDecimals: 2)) km"
  }
}
