/// The saves of others into one store, as they come.
///
///     for try await change in try coordinator.remoteChanges(of: store) { print(change.changes.count) }
///
/// Tells what happens from the moment it is made; ends when the coordinator does, or the task is
/// cancelled. Looks whether the store has changed when the system tells that something has happened
/// to its files, which reads a few bytes that are in memory; nothing is done while nothing happens.
/// Where the system does not tell (folders of other machines, servers, an ``AtomicStore`` that does
/// not name its files), it looks about once a second. A store that is read whole is read once it
/// has changed, as the next fetch would do. Who reads slowly gets several saves as one. Sendable;
/// one task reads it at a time.
public struct RemoteChanges: AsyncSequence, Sendable {
  /// One change after the other, waiting for the next.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: RemoteChangeReader
    private var wait: RemoteChangeWait?

    fileprivate init(_ reader: RemoteChangeReader) { self.reader = reader }

    /// The next change, once there is one; nil at the end.
    ///
    /// May be called again after an error: it throws until the store can be read, and tells of what
    /// was changed then.
    ///
    /// - Throws: `PersistentStoreError` where the store cannot be read, or was moved away.
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
  /// What others save into a store from now on: other processes, and other coordinators in this
  /// one.
  ///
  ///     for try await change in try coordinator.remoteChanges(of: store) {
  ///       try await background.perform { try $0.mergeChanges(from: change.changes) }
  ///     }
  ///
  /// It is noticed within a second, mostly as soon as the other one's save is on the disk; a thread
  /// sleeps until then. Where the store keeps a history
  /// (`PersistentStoreOptions.tracksPersistentHistory`) each object that was changed is named;
  /// saves through this coordinator are not among them, for those there is `saves()`. While nobody
  /// reads, nothing is done. Stands for Core Data's `NSPersistentStoreRemoteChange` notification.
  ///
  /// Documents have no history: of those anything may have been changed, also by hand. Of an
  /// ``AtomicStore`` it tells whenever that says that it `isOutdated()`. A store in memory has no
  /// others, so there is nothing to tell.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read; `unsupportedOperation` of an
  ///   ``IncrementalStore``, which does not say what others change.
  /// - Precondition: the store is one of this coordinator.
  public func remoteChanges(of store: PersistentStore) throws -> RemoteChanges {
    let store = rowStore(store)
    guard !(store is IncrementalStore) else {
      throw PersistentStoreError.unsupportedOperation(store.type, "say what others change")
    }
    return RemoteChanges(try RemoteChangeReader(store, of: self))
  }
}
