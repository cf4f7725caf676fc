import CommandLineKit
import DataFormats
import DogWalkModel

/// Walks as lines for pipes: number, start, minutes, dog and note, separated by tabs.
///
/// ```text
/// 3	2026-11-20T18:00:00+01:00	35	Fido	rain
/// ```
struct WalkLines {
  /// The zone of walks without an offset of their own.
  let zone: LocalZone

  /// Writes the line of a walk.
  func write(_ walk: Walk, to sink: OutputSink) throws(OutputError) {
    try sink.write { line in
      // An unsaved walk has no number yet.
      let number = walk.number
      if number > 0 { line.append(decimal: Int(number)) }
      line.append(ascii: "\t")
      if let start = walk.start(in: zone) { line.append(iso8601: start) }
      line.append(ascii: "\t")
      if let minutes = walk.minutes { line.append(minutes, roundedToDecimals: 2) }
      line.append(ascii: "\t")
      if let dog = walk.dog { line.append(tabSeparated: dog.name) }
      line.append(ascii: "\t")
      if let note = walk.note { line.append(tabSeparated: note) }
      line.append(ascii: "\n")
    }
  }
}
