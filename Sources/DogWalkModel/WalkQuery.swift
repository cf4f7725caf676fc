package import ManagedObjects
package import SystemLibraries

/// Which walks to show.
package struct WalkQuery {
  /// Only walks of these dogs; empty for all.
  package var dogs: [Dog] = []
  /// Only walks that began then or later.
  package var earliest: Date?
  /// Only walks that began then or before.
  package var latest: Date?
  /// A condition in Core Data's language; nil for none.
  package var predicate: FetchPredicate?
  /// What else must hold; nil for nothing.
  package var isWanted: ((Walk) -> Bool)?
  /// Only walks with a date that a calendar shows.
  package var isDated = false
  /// Only walks that are still going on.
  package var isOngoing = false
  /// Only walks of a dog that are over.
  package var isOver = false
  /// Only walks with this walker; nil for all.
  package var walker: Walker?
  /// Only walks with a walker of this name; nil for all.
  package var walkerName: String?
  /// Only walks whose note has this text in it, in capitals or not; nil for all.
  package var noteText: String?
  /// Only walks that have all of these tags, by the keys of their names.
  package var tagKeys: [String] = []
  /// Only walks whose way was recorded.
  package var hasTrack = false
  /// The most walks to give, the newest; nil for all.
  package var limit: Int?

  /// All walks.
  package init() {}

  /// What the store is asked, but for the limit: the newest first, equal ones by their numbers.
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

  /// When walks began, with one bound on either side at most: SQLite looks only one of each up in
  /// an index, and goes through all that lies between it and the other.
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
