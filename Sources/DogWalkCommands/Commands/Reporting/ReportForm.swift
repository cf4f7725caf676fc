import CommandLineKit
import DataFormats
import DogWalkModel

extension WalkReport {
  /// Writes the report as a JSON document.
  func writeJSON(to output: OutputSink) throws(OutputError) {
    var json = JSONWriter()
    try json.object { json throws(OutputError) in
      json.member("schema", 1)
      json.member("from", "\(days.lowerBound)")
      json.member("to", "\(days.upperBound.adding(days: -1))")
      json.member("total") { json in write(total, to: &json) }
      json.key("rows")
      try json.lines(tallies.lazy.flatMap { rows(of: $0) }) { json, row throws(OutputError) in
        json.object { json in
          json.member(group.name, row.name)
          json.member("from", "\(row.days.lowerBound)")
          json.member("to", "\(row.lastDay)")
          json.member("walks", row.part.walks)
          json.member("minutes", row.minutes.hundredths)
          json.member("metres", row.part.knownMetres)
          json.member("target_minutes", row.targetMinutes)
        }
        try json.drain(into: output)
      }
    }
    json.endLine()
    try json.drain(into: output)
  }

  private func write(_ tally: WalkTally, to json: inout JSONWriter) {
    let sum = tally.sum
    json.object { json in
      json.member("walks", sum.walks)
      json.member("minutes", (sum.seconds / 60).hundredths)
      json.member("metres", sum.knownMetres)
      json.member("days", dayCount)
      json.member("days_out", secondsByDay(of: tally).count { $0 != nil })
    }
  }

  /// Writes the report as lines of CSV (RFC 4180).
  func writeCSV(to output: OutputSink) throws(OutputError) {
    try output.write("\(group.name),from,to,walks,minutes,target_minutes,metres\r\n")
    for tally in tallies {
      let name = tally.name?.csvField ?? ""
      for row in rows(of: tally) {
        let target = row.targetMinutes.map { String($0) } ?? ""
        try output.write(
          "\(name),\(row.days.lowerBound),\(row.lastDay),\(row.part.walks),"
            + "\(row.minutes.rounded(toDecimals: 2)),\(target),"
            + "\(row.part.knownMetres?.shortest ?? "")\r\n")
      }
    }
  }
}
