import Foundation
public import ManagedObjects
import Synchronization

/// Makes a context merge on its queue after another context has saved.
///
/// A context of the library merges in calls of its own, so this ends an event of it.
final class AutomaticMerger {
  private let token: any NSObjectProtocol

  init(_ queue: ContextQueue, _ coordinator: PersistentStoreCoordinator) {
    let isDue = Flag()
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { [weak queue] notification in
      guard let queue, let saved = notification.object as? ManagedObjectContext,
        saved.storeCoordinator === coordinator, saved.contextQueue !== queue,
        !isDue.value.exchange(true, ordering: .acquiringAndReleasing)
      else { return }
      queue.async { [weak queue] in
        isDue.value.store(false, ordering: .releasing)
        queue?.context?.processPendingChanges()
      }
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }

  /// Whether a merge is enqueued, which then merges the saves of the meantime as well.
  private final class Flag: Sendable {
    let value = Atomic(false)
  }
}

extension ManagedObjectContext {
  /// Whether saves of other contexts are merged automatically.
  ///
  ///     container.viewContext.automaticallyMergesChangesFromParent = true
  ///
  /// They are merged on this context's queue after the save, and at the next fetch, save or end of
  /// an event at the latest; those of other processes and of contexts without a queue only then.
  /// False by default.
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically }
    set {
      mergesAutomatically = newValue
      contextQueue.saveFollower =
        newValue ? AutomaticMerger(contextQueue, storeCoordinator) : nil
    }
  }
}
