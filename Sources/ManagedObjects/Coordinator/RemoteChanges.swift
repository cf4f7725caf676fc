/// The changes that other processes save into one store, as they happen.
///
///     for try await change in try coordinator.remoteChanges(of: store) { print(change.changes.count) }
///
/// Delivers changes from its creation on; ends when the coordinator is deallocated, or the task is
/// cancelled. The store is checked when the system reports an event on its files, which reads a few
/// bytes in memory; without events nothing is done. If the system reports none (network folders,
/// servers, an ``AtomicStore`` that does not list its files), the store is checked about once a
/// second. A store that is read as a whole is read once it has changed, as the next fetch would do.
/// A slow reader receives several saves as one. Sendable; one task reads it at a time.
public struct RemoteChanges: AsyncSequence, Sendable {
  /// Iterates over the changes, waiting for each.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: RemoteChangeReader
    private var wait: RemoteChangeWait?

    fileprivate init(_ reader: RemoteChangeReader) { self.reader = reader }

    /// The next change, once there is one; nil at the end.
    ///
    /// May be called again after an error: it throws until the store can be read, and then returns
    /// the changes made in the meantime.
    ///
    /// - Throws: `PersistentStoreError` if the store cannot be read, or was moved away.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> PersistentStoreRemoteChange? {
      while !Task.isCancelled {
        switch try reader.look() {
        case .change(let change): return change
        case .end: return nil
        case .nothing(let traces):
          if wait?.traces != traces { wait = RemoteChangeWait(for: traces, reader.followers) }
          if await wait?.next(isolation: actor) == false { wait = nil }
        }
      }
      return nil
    }

    /// The next change, once there is one; nil at the end.
    ///
    /// - Throws: as `next(isolation:)` does.
    public mutating func next() async throws -> PersistentStoreRemoteChange? {
      try await next(isolation: #isolation)
    }
  }

  private let reader: RemoteChangeReader

  init(_ reader: RemoteChangeReader) { self.reader = reader }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}

@available(*, unavailable) extension RemoteChanges.AsyncIterator: Sendable {}

extension PersistentStoreCoordinator {
  /// The changes that other processes or coordinators save into a store from now on.
  ///
  ///     for try await change in try coordinator.remoteChanges(of: store) {
  ///       try await background.perform { try $0.mergeChanges(from: change.changes) }
  ///     }
  ///
  /// A change is detected within a second, mostly as soon as the save is on the disk; a thread
  /// sleeps until then. If the store keeps a history
  /// (`PersistentStoreOptions.tracksPersistentHistory`) each changed object is listed; saves
  /// through this coordinator are not included: see `saves()`. While there is no reader, nothing is
  /// done. Replaces Core Data's `NSPersistentStoreRemoteChange` notification.
  ///
  /// Documents have no history: any object may have changed, even by manual editing. For an
  /// ``AtomicStore`` a change is reported whenever its `isOutdated()` is true. A store in memory is
  /// not shared, so there are no changes.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read; `unsupportedOperation` for an
  ///   ``IncrementalStore``, which does not report changes by others.
  /// - Precondition: the store is one of this coordinator.
  public func remoteChanges(of store: PersistentStore) throws -> RemoteChanges {
    let store = rowStore(store)
    guard !(store is IncrementalStore) else {
      throw PersistentStoreError.unsupportedOperation(store.type, "report changes by others")
    }
    return RemoteChanges(try RemoteChangeReader(store, of: self))
  }
}
