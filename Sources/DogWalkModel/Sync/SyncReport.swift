import SystemLibraries

/// The results of a sync in two stores, or of its dry run.
///
/// Deleted objects can still be read in their last state.
package struct SyncReport {
  /// The changes in one store.
  package struct Changes {
    /// Walks inserted from the other store.
    package internal(set) var added: [Walk] = []
    /// Walks that got values from the other store.
    package internal(set) var changed: [Walk] = []
    /// Walks that were deleted in the other store.
    package internal(set) var deleted: [Walk] = []
    /// Walks that this store had deleted and that are inserted again, since they were changed in
    /// the other one.
    package internal(set) var kept: [Walk] = []
    /// The names of the inserted dogs.
    package internal(set) var addedDogs: [String] = []
    /// The names of dogs whose name, target or gap was taken from the other store.
    package internal(set) var changedDogs: [String] = []
    /// The former names of renamed dogs, by the current name.
    package internal(set) var formerNames: [String: String] = [:]
    /// The names of the deleted dogs.
    package internal(set) var deletedDogs: [String] = []

    /// The number of walks in these lists.
    package var walkCount: Int { added.count + changed.count + deleted.count + kept.count }
    /// Whether nothing happened that a user sees.
    package var isEmpty: Bool {
      walkCount == 0 && addedDogs.isEmpty && changedDogs.isEmpty && deletedDogs.isEmpty
    }

    /// Sorts the dogs by name.
    mutating func sortDogs() {
      addedDogs = addedDogs.sorted(byName: \.self)
      changedDogs = changedDogs.sorted(byName: \.self)
      deletedDogs = deletedDogs.sorted(byName: \.self)
    }
  }

  /// A value that both stores changed, or in which two dogs differed that become one.
  package struct Conflict: Hashable {
    /// Whether the two were never synced before, so that possibly only one of them has changed it.
    package let isFirst: Bool
    /// The walk with the value, in this store; nil for a dog's value.
    package let walk: Walk?
    /// The current name of the dog with the value; nil for a walk's value.
    package let dogName: String?
    /// The property.
    package let property: SyncProperty
    /// The value of this store, which was replaced; nil for none.
    package let mine: SyncValue?
    /// The value of the other store, which was kept; nil for none.
    package let other: SyncValue?
    /// Whether the values are those of two dogs that become one, in either store.
    package var isOfTwoDogs = false
  }

  /// The changes in this store.
  package internal(set) var here = Changes()
  /// The changes in the other store.
  package internal(set) var there = Changes()
  /// Values of this store that were replaced by those of the other one.
  package internal(set) var conflicts: [Conflict] = []
  /// The names of dogs that were merged because they had the same name.
  package internal(set) var joinedDogs: [String] = []
  /// Dogs that were merged into others because an earlier sync with another store merged them.
  package internal(set) var absorbedDogs: [(name: String, other: String)] = []
  /// The number of walks left out because they have no dog or no date.
  package internal(set) var leftOut = 0
  /// The numbers of dogs, walkers and tags left out, with their walks, because they have no name.
  package internal(set) var nameless: [SyncKind: Int] = [:]
  /// The sides whose records of earlier syncs are damaged, and count as none.
  package internal(set) var damagedRecords: Set<SyncSide> = []
  /// Reads the tags of all these walks.
  package internal(set) var tags = WalkTags(areThere: false)
  /// Whether anything is written to the other store, even if only its records of the sync.
  package internal(set) var writesToOtherStore = false
  /// Retains the objects whose values are read later.
  var held: [AnyObject] = []

  /// Sorts the conflicts: dogs' by name, then walks' by start and number.
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

  /// Whether neither store changed.
  package var isEmpty: Bool {
    here.isEmpty && there.isEmpty && joinedDogs.isEmpty && absorbedDogs.isEmpty
  }
}

@available(*, unavailable) extension SyncReport: Sendable {}
@available(*, unavailable) extension SyncReport.Changes: Sendable {}
@available(*, unavailable) extension SyncReport.Conflict: Sendable {}

extension Walk {
  /// Returns one of its values for display; nil for none.
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
  /// Returns one of its values for display; nil for none.
  func syncValue(_ property: SyncProperty) -> SyncValue? {
    switch property {
    case .name: .text(name)
    case .target: targetMinutes.map { .number(Double($0)) }
    case .gap: maximumGap.map { .number($0) }
    default: nil
    }
  }
}
