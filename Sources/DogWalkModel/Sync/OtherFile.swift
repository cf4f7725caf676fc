package import ManagedObjects
package import SystemLibraries

/// A store file that another store is synced with: it is copied, changed in the copy, and replaced
/// as a whole.
package final class OtherFile: OtherStore {
  package let url: URL
  package private(set) var version: ModelVersion?
  private let file: CheckedOutStore
  private var log: WalkLog?

  /// Copies a store; a missing store is created by ``finish()``.
  ///
  /// - Throws: `PersistentStoreError`: `busy` if a program has the store open.
  package init(_ url: URL) throws {
    self.url = url
    file = try CheckedOutStore(url)
  }

  package func look() throws {
    let isStore = try file.exists && !Self.isEmpty(file.copy)
    version = isStore ? try ModelVersion(ofStoreAt: file.copy) : nil
  }

  private static func isEmpty(_ url: URL) throws -> Bool {
    var info = stat()
    return stat(url.path, &info) == 0 && info.st_size == 0
  }

  package var locations: [String] { [file.copy.path, url.path] }

  /// Replaces a disk-full error of the copy, since it is not the store's disk that is full.
  package func named(_ error: PersistentStoreError) -> PersistentStoreError {
    guard case .full(let full) = error, full.path == file.copy.path else { return error }
    return file.noRoomForCopy
  }

  package var isOlder: Bool { version.map { $0.number < ModelVersion.current.number } ?? false }

  package func open(toRead: Bool) throws -> WalkLog {
    let log = try WalkLog(at: file.copy, for: toRead ? .reading : .writing)
    self.log = log
    return log
  }

  /// Replaces the store by the saved copy.
  ///
  /// A store of an older version is kept unchanged beside it.
  @discardableResult
  package func finish() throws -> URL? {
    guard let log else { return nil }
    try log.coordinator.emptyLog(of: log.store)
    var backup: URL?
    if isOlder, let version {
      backup = version.backupURL(ofStoreAt: url)
      if let backup { try file.keepOriginal(at: backup) }
    }
    try file.replaceOriginal()
    return backup
  }

  /// Removes the copy.
  package func close() { file.remove() }
}

@available(*, unavailable) extension OtherFile: Sendable {}
