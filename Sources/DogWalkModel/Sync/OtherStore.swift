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
