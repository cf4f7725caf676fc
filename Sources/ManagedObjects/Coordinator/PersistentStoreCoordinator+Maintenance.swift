#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What keeps a store healthy: looking it through, copying it, seeing that others wrote to it.
extension PersistentStoreCoordinator {
  /// Looks a store's file through and says what is wrong with it; empty where nothing is.
  ///
  /// The sentences are SQLite's, for a log. Reads the whole file; a store in memory has none.
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read.
  public func faults(in store: PersistentStore) throws -> [String] {
    guard let store = store as? SQLiteStore else { return [] }
    return try locked { try store.told { try store.connection.faults() } }
  }

  /// A number that is another one after every save of another connection, process or program.
  ///
  ///     let seen = try coordinator.changeCount(of: store)
  ///     // … later
  ///     if try coordinator.changeCount(of: store) != seen { /* fetch again */ }
  ///
  /// For programs that watch: no query is made. Saves through this coordinator do not count. A store
  /// in memory has no others.
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read.
  public func changeCount(of store: PersistentStore) throws -> Int64 {
    guard let store = store as? SQLiteStore else { return 0 }
    return try locked { try store.told { try store.connection.dataVersion() } }
  }

  /// Copies a store into a new file, as it is at one moment, its log included.
  ///
  ///     try coordinator.copy(store, to: URL(filePath: "/backup/DogWalk.sqlite"))
  ///
  /// Other processes may go on writing. The copy is on the disk when this returns, and nobody but its
  /// owner may read it; where it fails there is none. Values in files beside the store are not copied.
  ///
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` where there is a file already.
  /// - Precondition: the store is a SQLite store.
  public func copy(_ store: PersistentStore, to url: URL) throws {
    guard let store = store as? SQLiteStore else { fatalError("The store has no file.") }
    let draft = url.filePath + ".\(getpid()).part"
    // Filled in place of a new file, which others could read.
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
    defer {
      close(descriptor)
      unlink(draft)
    }
    try locked {
      do throws(SQLiteError) {
        try store.connection.copy(into: draft)
      } catch {
        throw PersistentStoreError(error, at: url)
      }
    }
    // A link is made only where there is nothing of that name.
    guard fsync(descriptor) == 0, link(draft, url.filePath) == 0 else {
      throw PersistentStoreError(errno: errno, at: url)
    }
  }

  /// The version of SQLite that stores are kept with, such as `3.46.1`.
  public static var sqliteVersion: String { Connection.libraryVersion }
}
