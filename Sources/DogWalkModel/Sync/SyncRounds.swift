/// The number of a round of changes: a random number given to all changes that a sync finds
/// unrecorded.
///
/// A store knows a round once it has seen the values that were set in it, or later ones. The
/// numbers are random rather than counters because a store may be copied, or an old copy restored,
/// and both continue from there: no two changes ever share a number.
package typealias SyncRound = UInt64

/// The rounds of a value: one, or several if stores arrived at the value independently.
///
/// A store that knows any of them knows the value.
package struct SyncRounds: Hashable, Sendable {
  /// The rounds, sorted.
  package let rounds: [SyncRound]

  /// Creates a set of rounds from sorted numbers.
  package init(_ rounds: [SyncRound]) { self.rounds = rounds }

  /// Whether a store that has seen some rounds knows the value.
  package func areKnown(by seen: SeenRounds) -> Bool { rounds.contains { seen.contains($0) } }

  /// Whether a store has seen all of the rounds, including the undo of a command.
  func areAllKnown(by seen: SeenRounds) -> Bool { rounds.allSatisfy { seen.contains($0) } }

  func areContained(in other: SyncRounds) -> Bool { rounds.allSatisfy(other.rounds.contains) }

  func subtracting(_ other: SyncRounds) -> SyncRounds {
    SyncRounds(rounds.filter { !other.rounds.contains($0) })
  }

  func union(_ other: SyncRounds) -> SyncRounds {
    self == other ? self : SyncRounds(Array(Set(rounds).union(other.rounds)).sorted())
  }
}
