/// A cache of the members of lists in an in-memory store's contents, shared by all readers, so that
/// reading many lists does not scan all rows for each.
final class InMemoryLists: Sendable {
  private let lock = Lock()
  // Both guarded by the lock.
  nonisolated(unsafe) private var askedCount = 0
  nonisolated(unsafe) private var members: InMemoryMembers?

  /// The members of an object's list in their order, if they are found by a foreign key and this is
  /// not the first list requested.
  func members(
    of toMany: EntityBinding.ToMany, owner: Int64, in contents: InMemoryStore.Contents,
    _ store: InMemoryStore
  ) -> [RowEvaluation.Member]? {
    guard case .foreignKey = toMany.storage else { return nil }
    return lock.withLock {
      askedCount += 1
      // Finding the members of all lists costs more than a scan for one.
      guard askedCount > 1 else { return nil }
      let known = members ?? InMemoryMembers(contents, store: store)
      members = known
      return known.of(toMany, owner: owner)
    }
  }
}
