/// The rounds that a store has seen for one object.
package struct MetRounds: Sendable {
  /// All rounds that the store knows.
  package let known: Set<SyncRound>
  /// Those of them that it has not seen for this object: see ``SyncMemory/unmet``.
  package let unmet: Set<SyncRound>

  func contains(_ round: SyncRound) -> Bool { known.contains(round) && !unmet.contains(round) }
}
