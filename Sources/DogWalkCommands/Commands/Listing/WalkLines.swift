import CommandLineKit
import DogWalkModel

/// Walks as lines for pipes: `ID`, start, minutes, dog and note, with tabs between them.
///
///     3	2026-11-20T18:00:00+01:00	35	Fido	rain
struct WalkLines {
  /// The zone of walks that have no offset of their own.
  let zone: LocalZone

  /// Writes the line of a walk.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) {
    var line = "\(walk.number)\t\(walk.start(in: zone).iso8601)\t"
    if let minutes = walk.minutes { line += minutes.shortest }
    line += "\t"
    if let dog = walk.dog { line += dog.name.tabSeparatedField }
    line += "\t"
    if let note = walk.note { line += note.tabSeparatedField }
    try sink.writeLine(line)
  }
}
