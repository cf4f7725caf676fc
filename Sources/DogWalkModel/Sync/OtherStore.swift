package import ManagedObjects
package import SystemLibraries

/// The store that another store is synced with.
package protocol OtherStore: AnyObject {
  /// Its location.
  var url: URL { get }
  /// The version of its model; nil if there is no store yet or ``look()`` was not called.
  var version: ModelVersion? { get }
  /// Whether the store has an older version and is migrated before it is changed.
  var isOlder: Bool { get }
  /// The names under which errors may refer to it.
  var locations: [String] { get }

  /// Determines the version of its model.
  ///
  /// - Throws: `PersistentStoreError` if it is not a store.
  func look() throws

  /// Opens the store for syncing or only for reading; a missing store is created.
  func open(toRead: Bool) throws -> WalkLog

  /// Publishes what was saved, so that other processes see it.
  ///
  /// - Returns: the location of the store's copy from before its migration; nil if it was not
  ///   migrated.
  /// - Throws: `PersistentStoreError`; then nothing has changed.
  @discardableResult func finish() throws -> URL?

  /// Releases the store; its objects can no longer fault in values.
  func close()

  /// Returns an error in the form in which it is reported.
  func named(_ error: PersistentStoreError) -> PersistentStoreError
}

/// A store on a server that another store is synced with; it is read and written in place.
package final class OtherServer: OtherStore {
  package let url: URL
  package private(set) var version: ModelVersion?

  /// The folder for a copy of the store made before its migration.
  private let folder: URL?
  private var backup: URL?

  /// Creates an object without contacting the server.
  ///
  /// - Parameters:
  ///   - url: its URL.
  ///   - folder: the folder for a copy of a store of an older version; nil if none may be
  ///     migrated.
  package init(_ url: URL, copyTo folder: URL?) {
    self.url = url
    self.folder = folder
  }

  package func look() throws {
    do {
      version = try ModelVersion(ofStoreAt: url)
    } catch PersistentStoreError.fileNotFound {
      version = nil
    }
  }

  package var isOlder: Bool { version.map { $0.number < ModelVersion.current.number } ?? false }

  package var locations: [String] { [url.location] }

  package func open(toRead: Bool) throws -> WalkLog {
    let log = try WalkLog(
      at: url, for: toRead ? .reading : .writing, copyingServersTo: folder)
    backup = log.migration?.backup
    return log
  }

  package func finish() throws -> URL? { backup }

  package func close() {}

  package func named(_ error: PersistentStoreError) -> PersistentStoreError { error }
}

@available(*, unavailable) extension OtherServer: Sendable {}
