import CommandLineKit
import DataFormats

extension Distance {
  /// The distance as people read it: `800 m`, `2.4 km`.
  var reading: String {
    metres < 1000
      ? "\(metres.rounded(toDecimals: 0)) m" : "\((metres / 1000).rounded(toDecimals: 2)) km"
  }
}
