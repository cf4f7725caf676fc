/// What one measurement gave, and its bar.
struct Result {
  enum Verdict: String {
    case ok
    case over = "OVER"
    /// Measured to be read beside the others; no bar is set.
    case noBar = ""
    case notMeasured = "not measured"
  }

  let name: String
  /// What we took, with its unit.
  let ours: String
  /// What the yardstick took, with its unit; empty where there is none.
  var yardstick = ""
  /// What the bar counts: the ratio of the two, or our figure; `nil` where it could not be
  /// measured.
  let value: Double?
  /// The least and the greatest value of the rounds.
  var range: ClosedRange<Double>?
  let bar: Double?

  var verdict: Verdict {
    guard let value else { return .notMeasured }
    guard let bar else { return .noBar }
    return value <= bar ? .ok : .over
  }

  /// The results as lines of aligned columns, under a heading.
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
