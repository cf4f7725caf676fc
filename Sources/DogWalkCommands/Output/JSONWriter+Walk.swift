import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension JSONWriter {
  /// Writes a walk with all fields; unknown values are `null`.
  ///
  /// - Parameters:
  ///   - zone: The zone of walks without an offset of their own.
  ///   - tags: The names of its tags.
  ///   - isExport: Whether to include what only other stores need: the dog's UUID and the track.
  ///   - store: The UUID of the store that it is exported from; `nil` for none.
  mutating func value(
    _ walk: Walk, zone: LocalZone, tags: [String], isExport: Bool = false, from store: String? = nil
  ) {
    let start = walk.start(in: zone)
    object { json in
      json.member("id", walk.number > 0 ? Int(walk.number) : nil)
      json.member("uuid", walk.sharedIdentifier.uuidString)
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
      json.member("dog_uuid", walk.dog?.sharedIdentifier.uuidString)
      json.member("track") { $0.value(walk.trackPoints) }
      guard let store else { return }
      json.member("version", WalkVersion(of: walk, in: store, tags: tags).text)
    }
  }

  /// Writes a track as its segments; `null` if there is none.
  ///
  /// Each point is an array of degrees north, degrees east, metres above sea level, and seconds
  /// since 1970 in UTC.
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

  /// Writes a whole document with the walks that a command has changed as one member.
  ///
  /// - Parameters:
  ///   - unchanged: The walks that needed no change, as another member; `nil` if the
  ///     command leaves none.
  ///   - isDryRun: Whether the changes were only simulated.
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
