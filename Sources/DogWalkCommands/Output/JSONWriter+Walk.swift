import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension JSONWriter {
  /// Writes a walk, every field in its place; what is not known is `null`.
  ///
  /// - Parameters:
  ///   - zone: The zone of walks that have no offset of their own.
  ///   - tags: The names of its tags.
  ///   - isExport: Whether what only another store needs is wanted too: the dog's UUID, the track.
  ///   - store: The UUID of the store that it is exported from; `nil` where none is.
  mutating func value(
    _ walk: Walk, zone: LocalZone, tags: [String], isExport: Bool = false, from store: String? = nil
  ) {
    let start = walk.start(in: zone)
    object { json in
      json.member("id", walk.number > 0 ? Int(walk.number) : nil)
      json.member("uuid", walk.identifier?.uuidString)
      json.member("dog", walk.dog?.name)
      json.member("start", start?.iso8601)
      json.member("end", walk.end(by: start)?.iso8601)
      json.member("minutes", walk.minutes)
      json.member("metres", walk.metres)
      json.member("note", walk.note)
      json.member("by", walk.walkerName)
      json.member("pee", walk.peeCount.map { Int($0) })
      json.member("poo", walk.pooCount.map { Int($0) })
      json.member("ongoing", walk.isOngoing)
      json.member("tags") { json in
        json.array { json in for tag in tags { json.value(tag) } }
      }
      guard isExport else { return }
      json.member("dog_uuid", walk.dog?.identifier?.uuidString)
      json.member("track") { $0.value(walk.trackPoints) }
      guard let store else { return }
      json.member("version", WalkVersion(of: walk, in: store, tags: tags).text)
    }
  }

  /// Writes a track: its segments, each point as degrees to the north and to the east, metres above
  /// the sea and seconds since 1970, in UTC; `null` where there is none.
  private mutating func value(_ track: TrackPoints?) {
    guard let track else { return null() }
    array { json in
      for segment in track.segments {
        json.array { json in
          for point in segment {
            json.array { json in
              json.value(point.latitude)
              json.value(point.longitude)
              for number in [point.elevation, point.time?.timeIntervalSince1970] {
                if let number { json.value(number) } else { json.null() }
              }
            }
          }
        }
      }
    }
  }

  /// Writes a whole document with walks under one name: what a command has done to them.
  ///
  /// - Parameters:
  ///   - unchanged: The walks that were so already, under a name of their own; `nil` where the
  ///     command leaves none.
  ///   - isDryRun: Whether it would only have done so.
  mutating func document(
    _ name: String, _ walks: [Walk], unchanged: [Walk]? = nil, zone: LocalZone,
    isDryRun: Bool = false
  ) {
    object { json in
      json.member("schema", 1)
      if isDryRun { json.member("dry_run", true) }
      for (name, walks) in [(name, walks), ("unchanged", unchanged)] {
        guard let walks else { continue }
        json.member(name) { json in
          json.lines(walks) { $0.value($1, zone: zone, tags: $1.tagNames) }
        }
      }
    }
    endLine()
  }
}
