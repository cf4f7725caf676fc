/// The changes of contexts as they happen, by IDs, for code in another isolation.
///
///     for await changes in container.persistentStoreCoordinator.saves() {
///       print("\(changes.inserted.count) new objects")
///     }
///
/// Delivers changes from its creation on; ends when the coordinator or context is deallocated, or
/// the task is cancelled. A slow reader loses only detail: see `ChangedObjectIDs.isIncomplete`.
/// Sendable; one task reads it at a time.
public struct ObjectIDChanges: AsyncSequence, Sendable {
  /// Iterates over the changes, waiting for each.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: ChangeLogReader
    fileprivate var wakeUps: AsyncStream<Void>.Iterator
    private var unread: ArraySlice<ChangedObjectIDs> = []

    fileprivate init(reader: ChangeLogReader, wakeUps: AsyncStream<Void>.Iterator) {
      self.reader = reader
      self.wakeUps = wakeUps
    }

    /// The next changes, once there are any; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> ChangedObjectIDs? {
      while true {
        if let changes = unread.popFirst() { return changes }
        unread = reader.take()[...]
        if unread.isEmpty, await wakeUps.next(isolation: actor) == nil { return nil }
      }
    }

    /// The next changes, once there are any; nil at the end.
    public mutating func next() async -> ChangedObjectIDs? { await next(isolation: #isolation) }
  }

  private let reader: ChangeLogReader
  private let wakeUps: AsyncStream<Void>

  init(_ log: ChangeLog) {
    // One wake-up is enough, however much there is to read.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    wakeUps = stream
    reader = ChangeLogReader(log, continuation: continuation)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader, wakeUps: wakeUps.makeAsyncIterator())
  }
}

extension PersistentStoreCoordinator {
  /// The saves of all contexts from now on, each as the IDs of its changed objects.
  ///
  ///     for await changes in coordinator.saves() { print(changes.inserted.count, "new") }
  ///
  /// Saves of other processes are not included. Nothing is stored while there is no reader.
  public func saves() -> ObjectIDChanges { ObjectIDChanges(changeLog) }
}

extension ManagedObjectContext {
  /// This context's notifications, with IDs instead of objects, for another isolation.
  ///
  ///     let changes = container.viewContext.objectIDs(of: .objectsDidChange)
  ///     Task { for await changes in changes { await index.update(changes) } }
  public func objectIDs(of notification: ContextNotification) -> ObjectIDChanges {
    let changes = ObjectIDChanges(madeObservers.changeLog(of: notification))
    recordEvents(for: notification)
    return changes
  }
}

@available(*, unavailable) extension ObjectIDChanges.AsyncIterator: Sendable {}
