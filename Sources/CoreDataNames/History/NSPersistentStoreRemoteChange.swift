public import Foundation
import ManagedObjects

/// The key of a store's UUID, in its metadata and in notifications of remote changes.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The key of a store's type in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's URL in notifications of remote changes.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of an `NSPersistentHistoryToken` in notifications of remote changes.
///
/// It is present if the store keeps a history.
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
  /// Posted after a save or a batch request into a store, by this or another process.
  ///
  /// The store was added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`; the object
  /// of the notification is the coordinator.
  ///
  ///     NotificationCenter.default.addObserver(
  ///       forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
  ///     ) { notification in print(notification.userInfo?[NSPersistentHistoryTokenKey] ?? "") }
  ///
  /// Posted shortly after the save, on an arbitrary thread; several saves may be combined.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

extension PersistentStoreCoordinator {
  /// Posts a notification for each save into a store from now on, while the coordinator has the
  /// store.
  ///
  /// These are saves through the coordinator, and those by other processes if the store detects
  /// them.
  func postRemoteChanges(of store: PersistentStore) {
    PostedStores.shared.add(store)
    if let others = try? remoteChanges(of: store) {
      Task.detached { [weak self, weak store] in
        var iterator = others.makeAsyncIterator()
        while true {
          do {
            guard let change = try await iterator.next(), let self, let store, has(store) else {
              return
            }
            postRemoteChange(of: store, change.historyToken)
          } catch {
            // The store cannot be read now; saves made in the meantime are posted afterwards.
            try? await Task.sleep(for: .seconds(1))
            guard let self, let store, has(store) else { return }
          }
        }
      }
    }
    let own = saves()
    Task.detached { [weak self, weak store] in
      for await changes in own {
        guard let self, let store, has(store) else { return }
        postRemoteChange(of: store, changes)
      }
    }
  }

  /// Posts notifications for a batch request, which is no save: contexts do not merge it.
  func postRemoteChanges(ofBatch changes: ChangedObjectIDs) {
    let stores = persistentStores.filter(PostedStores.shared.contains)
    guard !stores.isEmpty else { return }
    Task.detached { for store in stores { self.postRemoteChange(of: store, changes) } }
  }

  /// Posts a notification if some changes are in a store.
  private func postRemoteChange(of store: PersistentStore, _ changes: ChangedObjectIDs) {
    let ids = changes.inserted + changes.updated + changes.deleted
    let uuid = store.identifier
    guard changes.isIncomplete || ids.contains(where: { $0.uriRepresentation().host == uuid })
    else { return }
    postRemoteChange(of: store, try? currentPersistentHistoryToken(fromStores: [store]))
  }

  private func has(_ store: PersistentStore) -> Bool {
    persistentStores.contains { $0 === store }
  }

  private func postRemoteChange(of store: PersistentStore, _ token: PersistentHistoryToken?) {
    var info: [AnyHashable: Any] = [NSStoreUUIDKey: store.identifier]
    info[NSPersistentStoreURLKey] = store.url
    info[NSPersistentHistoryTokenKey] = token
    NotificationCenter.default.post(
      name: .NSPersistentStoreRemoteChange, object: self, userInfo: info)
  }
}

/// The stores whose changes are posted.
private final class PostedStores: @unchecked Sendable {
  // Unchecked: the stores are read and added under the lock.
  static let shared = PostedStores()
  private let lock = NSLock()
  private var stores: [Entry] = []

  private struct Entry {
    private(set) weak var store: PersistentStore?
  }

  func add(_ store: PersistentStore) {
    lock.withLock {
      stores.removeAll { $0.store == nil }
      stores.append(Entry(store: store))
    }
  }

  func contains(_ store: PersistentStore) -> Bool {
    lock.withLock { stores.contains { $0.store === store } }
  }
}
