/// The result of a measurement, and its bar.
struct Result {
  enum Verdict: String {
    case ok
    case over = "OVER"
    /// Measured only for comparison, without a bar.
    case noBar = ""
    case notMeasured = "not measured"
  }

  let name: String
  /// Our result, with its unit.
  let ours: String
  /// The yardstick's result, with its unit; empty if there is none.
  var yardstick = ""
  /// The value compared with the bar: the ratio of both, or our result; `nil` if it could not be
  /// measured.
  let value: Double?
  /// The minimum and maximum of the rounds.
  var range: ClosedRange<Double>?
  let bar: Double?

  var verdict: Verdict {
    guard let value else { return .notMeasured }
    guard let bar else { return .noBar }
    return value <= bar ? .ok : .over
  }

  /// Returns the results as aligned columns with a heading.
  static func table(_ results: [Result]) -> String {
    let heading = ["", "ours", "yardstick", "value", "least–most", "bar", ""]
    let lines =
      [heading]
      + results.map { result in
        [
          result.name, result.ours, result.yardstick, result.value?.fixed(2) ?? "",
          result.range.map { "\($0.lowerBound.fixed(2))–\($0.upperBound.fixed(2))" } ?? "",
          result.bar.map { "≤ \($0.fixed(2))" } ?? "", result.verdict.rawValue,
        ]
      }
    let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      line.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - line[column].count)
        let isText = column == 0 || column == heading.count - 1
        return isText ? line[column] + padding : padding + line[column]
      }
      .joined(separator: "  ")
    }
    .joined(separator: "\n")
  }
}
