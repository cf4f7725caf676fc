package import SystemLibraries

/// The names that two synced stores keep for each other.
package struct SyncNames: Sendable {
  let log: String
  let other: String
  let date: Date
  /// The name of the sync in the undo log here.
  let command: String
  /// The name of the sync in the undo log there.
  let othersCommand: String
  let author: String?

  /// - Parameters:
  ///   - log: the location of the store with which the sync was called.
  ///   - other: the location of the other store.
  ///   - date: the date of the sync.
  ///   - typed: the other store as the user typed it; nil for its location.
  ///   - author: the author of the sync; nil if none is given.
  package init(
    log: String, other: String, at date: Date, typed: String? = nil, by author: String? = nil
  ) {
    self.log = log
    self.other = other
    self.date = date
    command = WalkLog.syncCommand + (typed ?? other)
    othersCommand = WalkLog.syncCommand + log
    self.author = author
  }
}
