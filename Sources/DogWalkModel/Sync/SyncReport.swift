package import SystemLibraries

/// What a sync did to two stores, or would do.
///
/// What is gone is still readable as it was.
package struct SyncReport {
  /// What happened to one store.
  package struct Changes {
    /// Walks that came from the other one.
    package internal(set) var added: [Walk] = []
    /// Walks that have values of the other one's.
    package internal(set) var changed: [Walk] = []
    /// Walks that were deleted in the other one.
    package internal(set) var deleted: [Walk] = []
    /// Walks that it had deleted, and that came back since they were changed in the other one.
    package internal(set) var kept: [Walk] = []
    /// The names of dogs that came.
    package internal(set) var addedDogs: [String] = []
    /// The names of dogs whose name, target or gap is the other's now.
    package internal(set) var changedDogs: [String] = []
    /// What dogs were called that have another name now, by that name.
    package internal(set) var formerNames: [String: String] = [:]
    /// The names of dogs that went.
    package internal(set) var deletedDogs: [String] = []

    /// How many walks there are in it.
    package var walkCount: Int { added.count + changed.count + deleted.count + kept.count }
    /// Whether nothing happened that a person sees.
    package var isEmpty: Bool {
      walkCount == 0 && addedDogs.isEmpty && changedDogs.isEmpty && deletedDogs.isEmpty
    }

    /// Puts the dogs in the order of their names.
    mutating func sortDogs() {
      addedDogs = addedDogs.sorted(byName: \.self)
      changedDogs = changedDogs.sorted(byName: \.self)
      deletedDogs = deletedDogs.sorted(byName: \.self)
    }
  }

  /// A value that both stores changed.
  package struct Conflict {
    /// Whether the two have not met before, so that maybe only one of them has changed it.
    package let isFirst: Bool
    /// Whose it is: a walk as it is here.
    package let walk: Walk?
    /// Whose it is, where it is a dog's: the name that it has now.
    package let dogName: String?
    /// Which one.
    package let property: SyncProperty
    /// The value that was here, and is no longer; nil for none.
    package let mine: SyncValue?
    /// The other's, which stays; nil for none.
    package let other: SyncValue?
  }

  /// What happened here.
  package internal(set) var here = Changes()
  /// What happened there.
  package internal(set) var there = Changes()
  /// Values of here that gave way to those there.
  package internal(set) var conflicts: [Conflict] = []
  /// Dogs of one name that became one.
  package internal(set) var joinedDogs: [String] = []
  /// Dogs that became another one, as an earlier sync of other stores has made them.
  package internal(set) var absorbedDogs: [(name: String, other: String)] = []
  /// How many walks were left out, since they have no dog or no date.
  package internal(set) var leftOut = 0
  /// The tags of all these walks.
  package internal(set) var tags = WalkTags(areThere: false)
  /// Whether the other store has anything to write, be it only what it keeps of the sync.
  package internal(set) var writesThere = false
  /// Keeps the objects' values readable.
  var held: [AnyObject] = []

  /// Puts conflicts in order: dogs' by name, then walks' by when they began and their numbers.
  mutating func sortConflicts() {
    let dogs = conflicts.filter { $0.walk == nil }
      .sorted { $0.property < $1.property }.sorted(byName: \.dogName)
    var walks: [(conflict: Conflict, start: Date, number: Int64)] = []
    for conflict in conflicts {
      guard let walk = conflict.walk else { continue }
      walks.append((conflict, walk.start ?? .distantPast, walk.number))
    }
    walks.sort {
      ($0.start, $0.number, $0.conflict.property) < ($1.start, $1.number, $1.conflict.property)
    }
    conflicts = dogs + walks.map(\.conflict)
  }

  /// Whether both stores held the same.
  package var isEmpty: Bool {
    here.isEmpty && there.isEmpty && joinedDogs.isEmpty && absorbedDogs.isEmpty
  }
}

@available(*, unavailable) extension SyncReport: Sendable {}
@available(*, unavailable) extension SyncReport.Changes: Sendable {}
@available(*, unavailable) extension SyncReport.Conflict: Sendable {}

/// A value, for those who tell a person about it.
package enum SyncValue: Hashable, Sendable {
  /// A moment, as the instant.
  case date(Date)
  /// A number: seconds, metres, minutes or how many, as the property says.
  case number(Double)
  /// A text, or a name.
  case text(String)
  /// A yes or no.
  case flag(Bool)
  /// A recorded way, which nobody types.
  case track
}

extension Walk {
  /// One of its values, for people; nil for none.
  func syncValue(_ property: SyncProperty) -> SyncValue? {
    switch property {
    case .dog: dog.map { .text($0.name) }
    case .date: start.map { .date($0) }
    case .utcOffset: clockOffset.map { .number(Double($0)) }
    case .duration: seconds.map { .number($0) }
    case .distance: metres.map { .number($0) }
    case .isOngoing: .flag(isOngoing)
    case .note: note.map { .text($0) }
    case .walker: walkerName.map { .text($0) }
    case .peeCount: peeCount.map { .number(Double($0)) }
    case .pooCount: pooCount.map { .number(Double($0)) }
    case .track: track == nil ? nil : .track
    case .name, .target, .gap, .tags: nil
    }
  }
}

extension Dog {
  /// One of its values, for people; nil for none.
  func syncValue(_ property: SyncProperty) -> SyncValue? {
    switch property {
    case .name: .text(name)
    case .target: targetMinutes.map { .number(Double($0)) }
    case .gap: maximumGap.map { .number($0) }
    default: nil
    }
  }
}
