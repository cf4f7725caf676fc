public import Foundation
import ManagedObjects

/// The key of a store's UUID, in its metadata and in notifications of remote changes.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The key of a store's kind in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's URL in notifications of remote changes.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of an `NSPersistentHistoryToken` in notifications of remote changes, where the store
/// keeps a history.
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
  /// When something was saved into a store that was added with
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, by whomever; its object is the
  /// coordinator.
  ///
  ///     NotificationCenter.default.addObserver(
  ///       forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
  ///     ) { notification in print(notification.userInfo?[NSPersistentHistoryTokenKey] ?? "") }
  ///
  /// Posted a moment after the save, on no thread in particular; several may come as one.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

extension PersistentStoreCoordinator {
  /// Posts a notification for each save into a store from now on, as long as the coordinator has
  /// it: for those through the coordinator, and for those of others where the store tells of them.
  func postRemoteChanges(of store: PersistentStore) {
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
            // The store cannot be read now; what is saved in the meantime is posted afterwards.
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
        let ids = changes.inserted + changes.updated + changes.deleted
        let uuid = store.identifier
        guard changes.isIncomplete || ids.contains(where: { $0.uriRepresentation().host == uuid })
        else { continue }
        postRemoteChange(of: store, try? currentPersistentHistoryToken(fromStores: [store]))
      }
    }
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
