package import ManagedObjects
package import SystemLibraries

/// The store that another one is synced with.
package protocol OtherStore: AnyObject {
  /// Where it is.
  var url: URL { get }
  /// The version that it is of; nil where there is none yet, or ``look()`` has not been called.
  var version: ModelVersion? { get }
  /// Whether it is of an older version, and is migrated before it is changed.
  var isOlder: Bool { get }
  /// What errors may call it.
  var locations: [String] { get }

  /// Finds out which version it is of.
  ///
  /// - Throws: `PersistentStoreError` where it is no store.
  func look() throws

  /// Opens it, to be synced or only looked at; where there is none, it is made.
  func open(toRead: Bool) throws -> WalkLog

  /// Has others see what was saved.
  ///
  /// - Returns: where the store lies as it was before it was migrated; nil where it was not.
  /// - Throws: `PersistentStoreError`, and nothing has changed.
  @discardableResult func finish() throws -> URL?

  /// Lets it go; what was read of it cannot be read on.
  func close()

  /// An error as it is told.
  func named(_ error: PersistentStoreError) -> PersistentStoreError
}

/// A store on a server that another one is synced with: read and written where it is.
package final class OtherServer: OtherStore {
  package let url: URL
  package private(set) var version: ModelVersion?

  /// Where a copy of it is kept before it is migrated.
  private let folder: URL?
  private var backup: URL?

  /// Asks nothing of the server yet.
  ///
  /// - Parameters:
  ///   - url: its URL.
  ///   - folder: where a copy of one of an older version is kept; nil where none is to be migrated.
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
