/// The rounds that a store has seen for one object.
package struct SeenRounds: Sendable {
  /// All rounds that the store knows.
  package let known: Set<SyncRound>
  /// Those of them that it has not seen for this object: see ``SyncMemory/unseen``.
  package let unseen: Set<SyncRound>

  func contains(_ round: SyncRound) -> Bool { known.contains(round) && !unseen.contains(round) }
}
