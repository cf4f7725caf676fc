package import ManagedObjects
package import SystemLibraries

/// Selects walks.
package struct WalkQuery {
  /// Only walks of these dogs; empty for all.
  package var dogs: [Dog] = []
  /// Only walks that began at this time or later.
  package var earliest: Date?
  /// Only walks that began at this time or earlier.
  package var latest: Date?
  /// A predicate in Core Data's format; nil for none.
  package var predicate: FetchPredicate?
  /// An additional condition; nil for none.
  package var isWanted: ((Walk) -> Bool)?
  /// Only walks with a date within the calendar.
  package var isDated = false
  /// Only walks that are still ongoing.
  package var isOngoing = false
  /// Only walks that have a dog and have ended.
  package var isOver = false
  /// Only walks with this walker; nil for all.
  package var walker: Walker?
  /// Only walks with a walker of this name; nil for all.
  package var walkerName: String?
  /// Only walks whose note contains this text, case-insensitively; nil for all.
  package var noteText: String?
  /// Only walks that have all of these tags, by name key.
  package var tagKeys: [String] = []
  /// Only walks with a recorded track.
  package var hasTrack = false
  /// The maximum number of walks, the newest ones; nil for all.
  package var limit: Int?

  /// Creates a query for all walks.
  package init() {}

  /// The fetch request, without the limit: newest first, walks with the same date by number.
  var request: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    var conditions: [FetchPredicate] = []
    if !dogs.isEmpty { conditions.append(.relationship("dog", isIn: dogs.map(\.objectID))) }
    conditions += dateConditions
    if isOngoing { conditions.append(.comparison("isOngoing", .equal, .boolean(true))) }
    if isOver {
      conditions.append(.comparison("isOngoing", .notEqual, .boolean(true)))
      conditions.append(.comparison("dog", .notEqual, nil))
    }
    if let walker { conditions.append(.relationship("walker", isIn: [walker.objectID])) }
    if let walkerName {
      conditions.append(.comparison("walker.nameKey", .equal, .string(NameKey.of(walkerName))))
    }
    if let noteText {
      conditions.append(
        .compare(
          .init(
            .keyPath("note"), .contains, .constant(.string(noteText)), options: .caseInsensitive)
        ))
    }
    for key in tagKeys {
      conditions.append(
        .compare(
          .init(.keyPath("tags.nameKey"), .equal, .constant(.string(key)), modifier: .any)))
    }
    if hasTrack { conditions.append(.comparison("track", .notEqual, nil)) }
    if let predicate { conditions.append(predicate) }
    request.predicate = conditions.isEmpty ? nil : .all(conditions)
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    return request
  }

  /// The conditions on the start, with at most one lower and one upper bound.
  ///
  /// SQLite uses only one of each in an index lookup, and filters the rows in between by the
  /// others.
  private var dateConditions: [FetchPredicate] {
    let dated = isDated ? Date.calendar : nil
    var conditions: [FetchPredicate] = []
    if let start = [earliest, dated?.lowerBound].compactMap(\.self).max() {
      conditions.append(.comparison("date", .greaterThanOrEqual, .date(start)))
    }
    if let latest, dated.map({ latest < $0.upperBound }) ?? true {
      conditions.append(.comparison("date", .lessThanOrEqual, .date(latest)))
    } else if let dated {
      conditions.append(.comparison("date", .lessThan, .date(dated.upperBound)))
    }
    return conditions
  }
}

@available(*, unavailable) extension WalkQuery: Sendable {}
