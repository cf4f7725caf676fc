package import ManagedObjects
package import SystemLibraries

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
