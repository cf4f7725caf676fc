import CommandLineKit
import DogWalkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Walks as lines of CSV, by RFC 4180: the fields of `--json`, and the same values.
struct WalkCSV {
  /// The zone of walks that have no offset of their own.
  let zone: LocalZone

  /// Writes the names of the columns.
  func writeHeader(to sink: OutputSink) throws(OutputError) {
    try sink.write("id,uuid,dog,start,end,minutes,metres,note,by,pee,poo\r\n")
  }

  /// Writes the line of a walk.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) {
    let start = walk.start(in: zone)
    var line = "\(walk.number),\(walk.uuid?.uuidString ?? "")"
    line += ",\(walk.dog?.name.csvField ?? "")"
    line += ",\(start.iso8601),"
    if let end = walk.end { line += Moment(date: end, utcOffset: start.utcOffset).iso8601 }
    line += ",\(walk.minutes?.shortest ?? ""),\(walk.distance?.shortest ?? "")"
    line += ",\(walk.note?.csvField ?? ""),\(walk.walker?.csvField ?? "")"
    line += ",\(walk.peeCount.map { String($0) } ?? "")"
    line += ",\(walk.pooCount.map { String($0) } ?? "")\r\n"
    try sink.write(line)
  }
}
