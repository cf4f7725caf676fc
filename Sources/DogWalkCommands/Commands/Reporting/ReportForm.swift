import CommandLineKit
import DataFormats
import DogWalkModel

extension WalkReport {
  /// Writes it as a document.
  func writeJSON(to output: OutputSink) throws(OutputError) {
    var json = JSONWriter()
    try json.object { json throws(OutputError) in
      json.member("schema", 1)
      json.member("from", "\(days.lowerBound)")
      json.member("to", "\(days.upperBound.adding(days: -1))")
      json.key("rows")
      try json.lines(tallies.lazy.flatMap { rows(of: $0) }) { json, row throws(OutputError) in
        json.object { json in
          json.member("dog", row.dog.name)
          json.member("from", "\(row.days.lowerBound)")
          json.member("to", "\(row.lastDay)")
          json.member("walks", row.part.walks)
          json.member("minutes", row.minutes)
          json.member("target_minutes", row.targetMinutes)
        }
        try json.drain(into: output)
      }
    }
    json.endLine()
    try json.drain(into: output)
  }

  /// Writes it as lines of CSV, by RFC 4180.
  func writeCSV(to output: OutputSink) throws(OutputError) {
    try output.write("dog,from,to,walks,minutes,target_minutes\r\n")
    for tally in tallies {
      let name = tally.dog.name.csvField
      for row in rows(of: tally) {
        let target = row.targetMinutes.map { String($0) } ?? ""
        try output.write(
          "\(name),\(row.days.lowerBound),\(row.lastDay),\(row.part.walks),"
            + "\(row.minutes.shortest),\(target)\r\n")
      }
    }
  }
}
