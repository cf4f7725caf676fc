import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// Walks as lines of CSV (RFC 4180), with the fields and values of `--json`; true is 1.
struct WalkCSV {
  /// The zone of walks without an offset of their own.
  let zone: LocalZone
  let tags: WalkTags
  /// Whether to include what only other stores need: the dog's UUID and the version.
  let isExport: Bool
  /// The UUID of the store that the walks are exported from; `nil` for none.
  let store: String?

  /// Writes the header.
  func writeHeader(to sink: OutputSink) throws(OutputError) {
    try sink.write("id,uuid,dog,start,end,minutes,metres,note,by,pee,poo,ongoing,tags")
    try sink.write(isExport ? ",dog_uuid,version\r\n" : "\r\n")
  }

  /// Writes the line of a walk.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) {
    let start = walk.start(in: zone)
    try sink.write { line in
      line.append(decimal: Int(walk.number))
      line.append(ascii: ",")
      line.append(walk.sharedIdentifier.uuidString)
      line.append(ascii: ",")
      if let dog = walk.dog { line.append(dog.name.csvField) }
      line.append(ascii: ",")
      if let start { line.append(iso8601: start) }
      line.append(ascii: ",")
      if let end = walk.end(by: start) { line.append(iso8601: end) }
      line.append(ascii: ",")
      if let minutes = walk.minutes { line.append(minutes.shortest) }
      line.append(ascii: ",")
      if let metres = walk.metres { line.append(metres.shortest) }
      line.append(ascii: ",")
      if let note = walk.note { line.append(note.csvField) }
      line.append(ascii: ",")
      if let walker = walk.walkerName { line.append(walker.csvField) }
      line.append(ascii: ",")
      if let pees = walk.peeCount { line.append(decimal: Int(pees)) }
      line.append(ascii: ",")
      if let poos = walk.pooCount { line.append(decimal: Int(poos)) }
      line.append(walk.isOngoing ? ",1," : ",0,")
      line.append(TypedTags.field(of: tags.names(of: walk)).csvField)
      if isExport { line.append(ascii: ",") }
      if isExport, let dog = walk.dog { line.append(dog.sharedIdentifier.uuidString) }
      if isExport { line.append(ascii: ",") }
      if isExport, let store {
        line.append(WalkVersion(of: walk, in: store, tags: tags.names(of: walk)).text)
      }
      line.append("\r\n")
    }
  }
}
