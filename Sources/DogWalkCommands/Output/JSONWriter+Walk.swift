import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension JSONWriter {
  /// Writes a walk, every field in its place; what is not known is `null`.
  ///
  /// - Parameter zone: The zone of walks that have no offset of their own.
  mutating func value(_ walk: Walk, zone: LocalZone) {
    let start = walk.start(in: zone)
    object { json in
      json.member("id", Int(walk.number))
      json.member("uuid", walk.identifier?.uuidString)
      json.member("dog", walk.dog?.name)
      json.member("start", start?.iso8601)
      json.member("end", walk.end(by: start)?.iso8601)
      json.member("minutes", walk.minutes)
      json.member("metres", walk.metres)
      json.member("note", walk.note)
      json.member("by", walk.walker)
      json.member("pee", walk.peeCount.map { Int($0) })
      json.member("poo", walk.pooCount.map { Int($0) })
      json.member("ongoing", walk.isOngoing)
    }
  }

  /// Writes a whole document with walks under one name: what a command has done to them.
  ///
  /// - Parameter isDryRun: Whether it would only have done so.
  mutating func document(
    _ name: String, _ walks: [Walk], zone: LocalZone, isDryRun: Bool = false
  ) {
    object { json in
      json.member("schema", 1)
      if isDryRun { json.member("dry_run", true) }
      json.member(name) { json in
        json.lines(walks) { $0.value($1, zone: zone) }
      }
    }
    endLine()
  }
}
